// Command terraform-provider-neon has the types of published providers and no service: what a plan says is real, and what is
// applied is only kept in the state.
//
// It stands for the provider whose source address is the end of its folder's path: `kislerdm/neon`.
package main

import (
	"context"
	"log"
	"os"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

func main() {
	folder := filepath.Dir(os.Args[0])
	source := filepath.Base(filepath.Dir(folder)) + "/" + filepath.Base(folder)
	open := func() provider.Provider { return &published{types: typesOf[source]} }
	options := providerserver.ServeOpts{Address: "registry.terraform.io/" + source}
	if err := providerserver.Serve(context.Background(), open, options); err != nil {
		log.Fatal(err)
	}
}

// published is a provider with the resources of a published one.
type published struct {
	types map[string]resourceSchema
}

func (p *published) Metadata(_ context.Context, _ provider.MetadataRequest, answer *provider.MetadataResponse) {
	answer.TypeName = "neon"
}

func (p *published) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (p *published) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (p *published) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p *published) Resources(context.Context) []func() resource.Resource {
	var all []func() resource.Resource
	for name, schema := range p.types {
		all = append(all, func() resource.Resource { return &kept{name: name, schema: schema} })
	}
	return all
}

// Actions exist in Terraform from 1.14 on; no provider of computes has published one yet.
func (p *published) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return restore{} }}
}

// restore stands for an action that brings an earlier state of a branch back.
type restore struct{}

func (restore) Metadata(_ context.Context, _ action.MetadataRequest, answer *action.MetadataResponse) {
	answer.TypeName = "neon_restore_branch"
}

func (restore) Schema(_ context.Context, _ action.SchemaRequest, answer *action.SchemaResponse) {
	answer.Schema = actionschema.Schema{Attributes: map[string]actionschema.Attribute{
		"project_id": actionschema.StringAttribute{Required: true},
		"branch_id":  actionschema.StringAttribute{Required: true},
	}}
}

func (restore) Invoke(context.Context, action.InvokeRequest, *action.InvokeResponse) {}
