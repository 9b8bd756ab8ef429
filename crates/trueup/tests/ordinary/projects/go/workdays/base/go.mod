module example.com/workdays

go 1.19
