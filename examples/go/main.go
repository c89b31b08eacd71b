package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"pulumi-compute-endpoint/sdk/go/compute"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		projectId := pulumi.String(cfg.Require("projectId"))
		// A branch that has no primary yet.
		branchId := pulumi.String(cfg.Require("branchId"))
		// In Compute Units. Equal limits make a fixed size.
		size := cfg.GetFloat64("size")
		if size == 0 {
			size = 0.25
		}

		// To take over an existing compute, add Adopt: pulumi.String("ep-…"), and the option pulumi.RetainOnDelete(true), so
		// that a destroy keeps it.
		app, err := compute.NewEndpoint(ctx, "app", &compute.EndpointArgs{
			ProjectId:             projectId,
			BranchId:              branchId,
			AutoscalingLimitMinCu: pulumi.Float64(size),
			AutoscalingLimitMaxCu: pulumi.Float64(size),
		})
		if err != nil {
			return err
		}

		replica, err := compute.NewEndpoint(ctx, "replica", &compute.EndpointArgs{
			ProjectId:             projectId,
			BranchId:              branchId,
			Type:                  compute.ComputeTypeReadOnly,
			AutoscalingLimitMinCu: pulumi.Float64(0.25),
			AutoscalingLimitMaxCu: pulumi.Float64(2),
			// Restarts the replica whenever the primary's host changes.
			RestartTriggers: pulumi.Map{"primary": app.Host},
		})
		if err != nil {
			return err
		}

		ctx.Export("host", app.Host)
		ctx.Export("replicaHost", replica.Host)
		return nil
	})
}
