//go:build amd64 || arm64

package riskcheck

import "unsafe"

//go:noescape
func prefetch(p unsafe.Pointer)

//go:noescape
func prefetch2(p unsafe.Pointer)
