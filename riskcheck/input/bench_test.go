package input

import "testing"

func BenchmarkAppendRequest(b *testing.B) {
	r, room := samples()[0].Request, make([]byte, 0, RequestBytes)
	b.ReportAllocs()
	for b.Loop() {
		room = AppendRequest(room[:0], &r)
	}
}

func BenchmarkAppendReport(b *testing.B) {
	r, room := samples()[3].Report, make([]byte, 0, ReportBytes)
	b.ReportAllocs()
	for b.Loop() {
		room = AppendReport(room[:0], &r)
	}
}

func BenchmarkDecode(b *testing.B) {
	seen := map[Kind]bool{}
	for _, in := range samples() {
		if seen[in.Kind] {
			continue
		}
		seen[in.Kind] = true
		b.Run(in.Kind.String(), func(b *testing.B) {
			var into Input
			payload := in.Append(nil)
			b.ReportAllocs()
			for b.Loop() {
				if err := into.Decode(in.Kind, payload); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkGive gives an engine a request of a connection that is gone, which it
// drops at once: directly, and from bytes. What is between them is what it costs that
// requests are stored.
func BenchmarkGive(b *testing.B) {
	request := samples()[0]
	payload := request.Append(nil)
	b.Run("directly", func(b *testing.B) {
		e := sampleEngine(b)
		for b.Loop() {
			e.Request(sampleNs, &request.Request)
		}
	})
	b.Run("from bytes", func(b *testing.B) {
		e := sampleEngine(b)
		var p Player
		for b.Loop() {
			if _, err := p.Give(e, sampleNs, KindRequest, payload); err != nil {
				b.Fatal(err)
			}
		}
	})
}
