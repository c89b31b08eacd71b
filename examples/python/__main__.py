import pulumi
import pulumi_compute_endpoint as compute

config = pulumi.Config()
project_id = config.require("projectId")
# A branch that has no primary yet.
branch_id = config.require("branchId")
# In Compute Units. Equal limits make a fixed size.
size = config.get_float("size") or 0.25

# To take over an existing compute, add adopt="ep-…", and opts=pulumi.ResourceOptions(retain_on_delete=True), so that a
# destroy keeps it.
app = compute.Endpoint(
    "app",
    project_id=project_id,
    branch_id=branch_id,
    autoscaling_limit_min_cu=size,
    autoscaling_limit_max_cu=size,
)

replica = compute.Endpoint(
    "replica",
    project_id=project_id,
    branch_id=branch_id,
    type=compute.ComputeType.READ_ONLY,
    autoscaling_limit_min_cu=0.25,
    autoscaling_limit_max_cu=2,
    # Restarts the replica whenever the primary's host changes.
    restart_triggers={"primary": app.host},
)

pulumi.export("host", app.host)
pulumi.export("replicaHost", replica.host)
