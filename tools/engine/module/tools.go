//go:build tools

// Package tools names what `go build` builds here: the Pulumi CLI, with the versions that go.sum pins.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
