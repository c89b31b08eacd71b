// Command generator writes the SDKs of a schema, with the generators that the Pulumi CLI itself uses.
//
// The CLI runs a language's plugin for this; here, no plugin is needed.
//
//	generator SCHEMA FOLDER
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-compute-endpoint"

type files = map[string][]byte

var generators = map[string]func(*schema.Package) (files, error){
	"go": func(pkg *schema.Package) (files, error) { return gogen.GeneratePackage(tool, pkg, nil) },
	"python": func(pkg *schema.Package) (files, error) {
		return python.GeneratePackage(tool, pkg, nil, nil)
	},
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file, folder string) error {
	for language, generate := range generators {
		// The schema is bound again for each language, since a generator stores its own data in the package.
		pkg, err := bind(file)
		if err != nil {
			return err
		}
		made, err := generate(pkg)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(folder, language), made); err != nil {
			return err
		}
	}
	return nil
}

// bind reads a schema, and checks it by Pulumi's rules. A warning counts as an error, since nobody would read it.
func bind(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return pkg, nil
}

func write(folder string, made files) error {
	for name, content := range made {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
