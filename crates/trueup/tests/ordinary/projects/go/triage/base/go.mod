module example.org/triage

go 1.19
