package asynclog_test

import (
	"fmt"
	"os"

	"tollgate/asynclog"
)

// A process has one Drainer; each of its loops has a Log.
func Example() {
	drainer, err := asynclog.New(asynclog.Config{
		Process: "exchange", Encoding: asynclog.EncodingConsole, Output: os.Stdout,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := drainer.Log("adapter")
	if err != nil {
		fmt.Println(err)
		return
	}
	const nowNs = 1_700_000_000_000_000_000 // the loop's batch clock
	log.Append(asynclog.CodeProcessStopping, nowNs, 15)
	if err := drainer.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2023-11-14T22:13:20Z	info	exchange	process-stopping	{"loop": "adapter", "code": 2, "audit": true, "signal": 15}
}
