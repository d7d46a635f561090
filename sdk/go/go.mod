module docfetch.example.com/go

go 1.23
