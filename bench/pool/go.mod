module github.com/rousehq/rouse/bench/pool

go 1.26.0

require (
	github.com/Jeffail/tunny v0.1.4
	github.com/alitto/pond/v2 v2.7.1
	github.com/gammazero/workerpool v1.3.0
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/rousehq/rouse v0.0.0
	github.com/sourcegraph/conc v0.3.0
	golang.org/x/sync v0.25.0
)

require github.com/gammazero/deque v1.2.2 // indirect

replace github.com/rousehq/rouse => ../..
