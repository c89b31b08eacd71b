package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// kept is a resource that exists in the state alone.
type kept struct {
	name   string
	schema resourceSchema
}

func (k *kept) Metadata(_ context.Context, _ resource.MetadataRequest, answer *resource.MetadataResponse) {
	answer.TypeName = k.name
}

func (k *kept) Schema(_ context.Context, _ resource.SchemaRequest, answer *resource.SchemaResponse) {
	answer.Schema = k.schema
}

// ModifyPlan refuses what the service would refuse: the plan then stops half-way.
func (k *kept) ModifyPlan(_ context.Context, asked resource.ModifyPlanRequest, answer *resource.ModifyPlanResponse) {
	least, most := number(asked.Plan.Raw, "autoscaling_limit_min_cu"), number(asked.Plan.Raw, "autoscaling_limit_max_cu")
	if least > most && most > 0 {
		answer.Diagnostics.AddError("Wrong limits", fmt.Sprintf("The minimum %g is above the maximum %g.", least, most))
	}
}

func (k *kept) Create(_ context.Context, asked resource.CreateRequest, answer *resource.CreateResponse) {
	answer.State.Raw = answered(asked.Plan.Raw)
}

func (k *kept) Update(_ context.Context, asked resource.UpdateRequest, answer *resource.UpdateResponse) {
	answer.State.Raw = answered(asked.Plan.Raw)
}

func (k *kept) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// Read finds what SERVICE says: by the id of a resource, values that were changed outside, or null if it was deleted.
func (k *kept) Read(ctx context.Context, asked resource.ReadRequest, answer *resource.ReadResponse) {
	var service map[string]map[string]any
	if err := json.Unmarshal([]byte(os.Getenv("SERVICE")), &service); err != nil {
		return
	}
	values, isNamed := service[text(asked.State.Raw, "id")]
	switch {
	case isNamed && values == nil:
		answer.State.RemoveResource(ctx)
	case isNamed:
		answer.State.Raw = changed(asked.State.Raw, values)
	}
}

func (k *kept) ImportState(ctx context.Context, asked resource.ImportStateRequest, answer *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), asked, answer)
}

// answered replaces each unknown value by a known one. An id comes from the names in the declaration, so that a test can predict it.
func answered(planned tftypes.Value) tftypes.Value {
	name := cmp.Or(text(planned, "branch_id"), text(planned, "endpoint_id"), text(planned, "name"))
	return mapped(planned, func(at *tftypes.AttributePath, value tftypes.Value) tftypes.Value {
		switch {
		case value.IsKnown():
			return value
		case value.Type().Is(tftypes.String):
			return tftypes.NewValue(tftypes.String, strings.ReplaceAll(name, "br-", "ep-"))
		case value.Type().Is(tftypes.Number):
			return tftypes.NewValue(tftypes.Number, 1)
		case value.Type().Is(tftypes.Bool):
			return tftypes.NewValue(tftypes.Bool, false)
		}
		return tftypes.NewValue(value.Type(), nil)
	})
}

// changed replaces values of attributes of the first level.
func changed(state tftypes.Value, values map[string]any) tftypes.Value {
	return mapped(state, func(at *tftypes.AttributePath, value tftypes.Value) tftypes.Value {
		steps := at.Steps()
		if len(steps) != 1 {
			return value
		}
		name, _ := steps[0].(tftypes.AttributeName)
		if other, isChanged := values[string(name)]; isChanged {
			return tftypes.NewValue(value.Type(), other)
		}
		return value
	})
}

func mapped(value tftypes.Value, with func(*tftypes.AttributePath, tftypes.Value) tftypes.Value) tftypes.Value {
	all, err := tftypes.Transform(value, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		return with(at, value), nil
	})
	if err != nil {
		panic(err)
	}
	return all
}

// text is a known attribute of the first level; empty if there is none.
func text(of tftypes.Value, name string) string {
	var found string
	_ = member(of, name).As(&found)
	return found
}

// number is a known numeric attribute of the first level; 0 if there is none.
func number(of tftypes.Value, name string) float64 {
	var found *big.Float
	if member(of, name).As(&found) != nil || found == nil {
		return 0
	}
	value, _ := found.Float64()
	return value
}

func member(of tftypes.Value, name string) tftypes.Value {
	var members map[string]tftypes.Value
	if of.IsNull() || !of.IsKnown() || of.As(&members) != nil {
		return tftypes.Value{}
	}
	return members[name]
}
