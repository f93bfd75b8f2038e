//go:build !amd64 && !arm64

package riskcheck

import "unsafe"

func prefetch(unsafe.Pointer)  {}
func prefetch2(unsafe.Pointer) {}
