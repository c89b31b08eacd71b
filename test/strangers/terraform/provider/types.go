package main

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type resourceSchema = schema.Schema

type attributes = map[string]schema.Attribute

// typesOf has the resources by the source address of their provider, with the attributes of its documentation.
var typesOf = map[string]map[string]resourceSchema{
	"kislerdm/neon": {
		"neon_project":  kislerdmProject,
		"neon_branch":   neonBranch,
		"neon_endpoint": neonEndpoint,
	},
	// neondatabase/neon continues kislerdm/neon 0.18 with nested attributes, and booleans in place of "yes" and "no".
	"neondatabase/neon": {
		"neon_project": {Attributes: with(projectAttributes, attributes{
			"enable_logical_replication": toggle,
			"primary_compute":            schema.SingleNestedAttribute{Optional: true, Attributes: computeSettings},
		})},
		"neon_branch":   neonBranch,
		"neon_endpoint": officialEndpoint,
	},
	"databricks/databricks": {
		"databricks_postgres_project": {Attributes: attributes{
			"id": assigned, "project_id": required,
			"spec": schema.SingleNestedAttribute{Optional: true, Attributes: attributes{
				"display_name": optional,
				"default_endpoint_settings": schema.SingleNestedAttribute{Optional: true, Attributes: attributes{
					"autoscaling_limit_min_cu": number64, "autoscaling_limit_max_cu": number64,
					"suspend_timeout_duration": optional,
				}},
			}},
		}},
		"databricks_postgres_branch":   {Attributes: with(lakebase, attributes{"branch_id": required, "spec": branchSpec})},
		"databricks_postgres_endpoint": {Attributes: with(lakebase, attributes{"endpoint_id": required, "spec": endpointSpec})},
	},
}

var neonEndpoint = resourceSchema{Attributes: with(computeSettings, attributes{
	"id": assigned, "host": assigned, "proxy_host": assigned, "name": optional,
	"project_id": required, "branch_id": required, "type": access, "region_id": fixed,
	"compute_provisioner": chosen, "pooler_enabled": toggle, "pooler_mode": chosen, "disabled": toggle,
	"pg_settings": schema.MapAttribute{Optional: true, ElementType: types.StringType},
})}

// officialEndpoint has no arguments of the pooler, and each update makes the pooler's host unknown.
var officialEndpoint = resourceSchema{Attributes: with(computeSettings, attributes{
	"id": assigned, "host": assigned, "host_pooling": reported, "proxy_host": assigned, "name": optional,
	"project_id": required, "branch_id": required, "type": access, "region_id": fixed,
	"compute_provisioner": chosen, "disabled": toggle,
	"pg_settings": schema.MapAttribute{Optional: true, ElementType: types.StringType},
})}

var neonBranch = resourceSchema{Attributes: attributes{
	"id": assigned, "project_id": fixed, "name": chosen, "parent_id": fixed, "protected": optional,
}}

var projectAttributes = attributes{
	"id": assigned, "name": chosen, "region_id": fixed, "org_id": optional,
	"history_retention_seconds": settable, "default_endpoint_id": assigned, "connection_uri": secret,
}

// kislerdmProject has the block default_endpoint_settings up to 0.15, and the block primary_compute from 0.16 on.
var kislerdmProject = resourceSchema{
	// The project's own compute settings are for computes that are created later.
	Attributes: with(with(projectAttributes, computeSettings), attributes{"enable_logical_replication": optional}),
	Blocks: map[string]schema.Block{
		"default_endpoint_settings": block(with(computeSettings, attributes{"id": assigned})),
		"primary_compute":           block(with(computeSettings, attributes{"id": assigned})),
	},
}

var computeSettings = attributes{
	"autoscaling_limit_min_cu": settable, "autoscaling_limit_max_cu": settable, "suspend_timeout_seconds": settable,
}

var lakebase = attributes{
	"id": assigned, "parent": fixed,
	"replace_existing": schema.BoolAttribute{Optional: true},
	// What the service reports is not known before an update.
	"status": schema.SingleNestedAttribute{Computed: true, Attributes: attributes{
		"current_state": schema.StringAttribute{Computed: true},
	}},
}

var branchSpec = schema.SingleNestedAttribute{Optional: true, Attributes: attributes{"no_expiry": schema.BoolAttribute{Optional: true}}}

var endpointSpec = schema.SingleNestedAttribute{Optional: true, Attributes: attributes{
	"endpoint_type": optional, "autoscaling_limit_min_cu": number64, "autoscaling_limit_max_cu": number64,
	"suspend_timeout_duration": optional, "disabled": schema.BoolAttribute{Optional: true},
}}

// If the service has chosen the value of an attribute that a declaration leaves out, later plans keep the value.
var (
	required = schema.StringAttribute{Required: true}
	optional = schema.StringAttribute{Optional: true}
	number64 = schema.Float64Attribute{Optional: true}
	assigned = schema.StringAttribute{Computed: true, PlanModifiers: keptString}
	reported = schema.StringAttribute{Computed: true}
	secret   = schema.StringAttribute{Computed: true, Sensitive: true, PlanModifiers: keptString}
	chosen   = schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: keptString}
	fixed    = schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: append(keptString, stringplanmodifier.RequiresReplace())}
	access   = schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("read_write")}
	toggle   = schema.BoolAttribute{Optional: true, Computed: true, PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()}}
	settable = schema.Float64Attribute{Optional: true, Computed: true, PlanModifiers: []planmodifier.Float64{float64planmodifier.UseStateForUnknown()}}

	keptString = []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
)

func block(of attributes) schema.ListNestedBlock {
	return schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: of}}
}

func with(some, more attributes) attributes {
	all := attributes{}
	for _, each := range []attributes{some, more} {
		for name, attribute := range each {
			all[name] = attribute
		}
	}
	return all
}
