package docfetch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

var example = regexp.MustCompile("(?ms)^```go\n(.*?)^```")

func TestEveryExampleOfTheReadmeCompiles(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	check(t, err == nil, err)
	examples := example.FindAllSubmatch(readme, -1)
	check(t, len(examples) >= 6, len(examples))
	module, err := filepath.Abs("..")
	check(t, err == nil, err)
	folder := t.TempDir()
	file := "module example\n\ngo 1.23\n\nrequire docfetch.example.com/go v0.0.0\n\nreplace docfetch.example.com/go => " + module + "\n"
	check(t, os.WriteFile(filepath.Join(folder, "go.mod"), []byte(file), 0o600) == nil)
	for i, found := range examples {
		name := filepath.Join(folder, strconv.Itoa(i), "main.go")
		check(t, os.Mkdir(filepath.Dir(name), 0o700) == nil)
		check(t, os.WriteFile(name, found[1], 0o600) == nil)
	}
	vet := exec.Command("go", "vet", "./...")
	vet.Dir = folder
	output, err := vet.CombinedOutput()
	check(t, err == nil, string(output))
}
