//go:build tools

// Package tools names what `go build` makes here: Pulumi's own host for programs in YAML.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
