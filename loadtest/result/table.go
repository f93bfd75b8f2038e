package result

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tollgate/loadtest/latency"
	"tollgate/order"
)

// Page widths in columns.
const (
	widthMin     = 80
	widthMax     = 120
	widthDefault = 100
)

// Page says how a result is shown to a person.
type Page struct {
	Title  string   // what was run, one line
	Notes  []string // facts about the run, one line each
	Tips   []string // what to try next, one line each
	Width  int      // columns; 0 means 100, otherwise from 80 to 120
	Colour bool
}

// Write writes the page. It ends with a newline.
func (p Page) Write(out io.Writer, r *Result) error {
	w := &pageWriter{page: p, result: r}
	w.width = widthDefault
	if p.Width != 0 {
		w.width = min(max(p.Width, widthMin), widthMax)
	}
	w.head()
	w.orders()
	w.rejects()
	w.utilisation()
	w.latencies()
	w.chain()
	w.processes()
	w.tips()
	if _, err := io.WriteString(out, w.text.String()); err != nil {
		return fmt.Errorf("result: %w", err)
	}
	return nil
}

// pageWriter builds the page section by section.
type pageWriter struct {
	page   Page
	result *Result
	width  int
	text   strings.Builder
}

func (w *pageWriter) line(format string, values ...any) {
	w.text.WriteString(strings.TrimRight(fmt.Sprintf(format, values...), " "))
	w.text.WriteByte('\n')
}

// section starts a part of the page with a rule across it.
func (w *pageWriter) section(title string) {
	w.line("")
	w.line("%s", w.style(styleBold, title)+" "+w.style(styleDim, strings.Repeat("─", w.width-len(title)-1)))
}

// wrapped writes text in lines that start at an indent, behind a bullet.
func (w *pageWriter) wrapped(bullet, text string) {
	indent := spaces(len([]rune(bullet)))
	for i, part := range wrap(text, w.width-len(indent)) {
		if i == 0 {
			w.line("%s%s", bullet, part)
			continue
		}
		w.line("%s%s", indent, part)
	}
}

func (w *pageWriter) head() {
	r := w.result
	mark := w.style(styleGood, "VALID")
	if !r.Valid {
		mark = w.style(styleBad, "INVALID")
	}
	w.line("%s  %s", mark, w.style(styleBold, w.page.Title))
	for _, why := range r.InvalidBecause {
		w.wrapped("  ✗ ", why)
	}
	w.wrapped("  ", fmt.Sprintf("%s, %d cores, kernel %s%s; link %s, durability %s, commit %s, seed %d",
		r.Host.CPU, r.Host.Cores, r.Host.Kernel, virtualText(r.Host.Virtual), r.Link, r.Durability, short(r.Commit), r.Seed))
	for _, note := range w.page.Notes {
		w.wrapped("  ", note)
	}
}

func virtualText(virtual bool) string {
	if virtual {
		return ", virtual machine"
	}
	return ""
}

// short returns the first twelve characters of a commit.
func short(commit string) string {
	if len(commit) > 12 {
		return commit[:12]
	}
	return commit
}

func (w *pageWriter) orders() {
	o := &w.result.Orders
	w.section("Requests")
	w.line("  sent %s, answered %s, unanswered %s, answered twice %s", grouped(o.Sent), grouped(o.Answered),
		w.alarm(o.Unanswered), w.alarm(o.Duplicates))
	w.share("accepted", o.Accepted, styleGood)
	w.share("rejected", o.Rejected, styleWarn)
	w.line("  orders filled %s, canceled %s", grouped(o.Filled), grouped(o.Cancelled))
	w.line("  rate %s, exposure %s", w.rate(), w.reconciled())
}

// share is a line with a number, its share of all answers, and a bar.
func (w *pageWriter) share(title string, n uint64, s style) {
	answered := w.result.Orders.Answered
	head := fmt.Sprintf("  %s%s  %s  ", left(title, 10), right(grouped(n), 12), right(percent(n, answered), 7))
	w.line("%s%s", head, w.style(s, bar(n, answered, w.width-len(head))))
}

// alarm shows a number that ought to be zero.
func (w *pageWriter) alarm(n uint64) string {
	if n == 0 {
		return "0"
	}
	return w.style(styleBad, grouped(n))
}

func (w *pageWriter) rate() string {
	rate := w.result.Rate
	achieved := grouped(uint64(rate.Achieved+0.5)) + "/s"
	if rate.Target > 0 {
		return achieved + " of " + grouped(uint64(rate.Target+0.5)) + "/s"
	}
	return achieved
}

func (w *pageWriter) reconciled() string {
	if w.result.Reconciled {
		return w.style(styleGood, "reconciled")
	}
	return w.style(styleBad, "not reconciled")
}

// rejects lists reasons, the most frequent first, each with its sentence.
func (w *pageWriter) rejects() {
	if len(w.result.Rejects) == 0 {
		return
	}
	w.section("Why requests were rejected")
	texts := reasonTexts()
	for _, name := range w.reasonsByCount() {
		n := w.result.Rejects[name]
		head := fmt.Sprintf("  %s %s ", right(grouped(n), rejectCountWidth), left(name, rejectNameWidth))
		w.wrapped(head, texts[name])
	}
}

func (w *pageWriter) reasonsByCount() []string {
	names := make([]string, 0, len(w.result.Rejects))
	for name := range w.result.Rejects {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := w.result.Rejects[a], w.result.Rejects[b]; x != y {
			if x > y {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}

// reasonTexts returns the sentence of every reason by its name.
func reasonTexts() map[string]string {
	texts := make(map[string]string)
	for _, reason := range order.Reasons() {
		texts[reason.String()] = reason.Text()
	}
	return texts
}

// hopTitles are the hops in words.
var hopTitles = [latency.HopCount]string{
	latency.FullChain:           "full chain",
	latency.FullChainReject:     "full chain, rejects",
	latency.RiskUplink:          "risk uplink",
	latency.GeneratorLag:        "generator lag",
	latency.ClientToGateway:     "client → gateway",
	latency.GatewayToRisk:       "gateway → risk",
	latency.RiskToGateway:       "risk → gateway",
	latency.GatewayToVenue:      "gateway → exchange",
	latency.VenueToGateway:      "exchange → gateway",
	latency.ReportToRisk:        "gateway → risk, report",
	latency.RiskToGatewayAnswer: "risk → gateway, answer",
	latency.GatewayToClient:     "gateway → client",
}

// Widths in columns.
const (
	columnWidth      = 8
	hopTitleWidth    = 22
	countWidth       = 12
	countShownFrom   = 2 + hopTitleWidth + 7*columnWidth + countWidth
	rejectCountWidth = 11
	rejectNameWidth  = 24
)

// latencies is one line per hop, percentiles in columns. Counts are shown where
// there is room.
func (w *pageWriter) latencies() {
	if len(w.result.LatencyUs) == 0 {
		return
	}
	w.section("Latency in microseconds")
	head := columns("min", "p50", "p90", "p99", "p99.9", "p99.99", "max") + w.count("count")
	w.line("  %s%s", left("", hopTitleWidth), w.style(styleDim, head))
	for _, hop := range latency.Hops() {
		s, ok := w.result.LatencyUs[hop.String()]
		if !ok {
			continue
		}
		title := left(hopTitles[hop], hopTitleWidth)
		if hop == latency.FullChain {
			title = w.style(styleBold, title)
		}
		cells := columns(micros(s.Min), micros(s.P50), micros(s.P90), micros(s.P99), micros(s.P999), micros(s.P9999),
			micros(s.Max))
		w.line("  %s%s%s", title, cells, w.count(grouped(uint64(s.Count))))
	}
}

// count is the last column of wide pages.
func (w *pageWriter) count(text string) string {
	if w.width < countShownFrom {
		return ""
	}
	return right(text, countWidth)
}

func columns(cells ...string) string {
	var line strings.Builder
	for _, cell := range cells {
		line.WriteString(right(cell, columnWidth))
	}
	return line.String()
}

func (w *pageWriter) processes() {
	if len(w.result.Processes) == 0 {
		return
	}
	w.section("Processes")
	w.line("  %s%s", left("", 14), w.style(styleDim, columns("cpu s", "MB", "GCs", "pause")+"  allocs/order, pause in µs"))
	for _, p := range w.result.Processes {
		w.line("  %s%s  %.3f", left(p.Role, 14), columns(fmt.Sprintf("%.2f", p.CPUSeconds),
			fmt.Sprintf("%.1f", p.RSSMb), grouped(p.GCCycles), micros(p.GCMaxPauseUs)), p.AllocsPerOrder)
	}
}

func (w *pageWriter) tips() {
	if len(w.page.Tips) == 0 {
		return
	}
	w.section("What to try next")
	for _, tip := range w.page.Tips {
		w.line("  %s", tip)
	}
}
