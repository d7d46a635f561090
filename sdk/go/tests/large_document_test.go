package docfetch_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	docfetch "docfetch.example.com/go"
)

const allowedKiB = 16 * 1024

// TestDownloadsADocumentOf100MiBInConstantMemory runs in a process of its own, because the peak of this one is that of all tests.
func TestDownloadsADocumentOf100MiBInConstantMemory(t *testing.T) {
	if os.Getenv("DOCFETCH_MEASURE") == "" {
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		child.Env = append(os.Environ(), "DOCFETCH_MEASURE=1")
		output, err := child.CombinedOutput()
		check(t, err == nil, string(output))
		_, measured, found := strings.Cut(string(output), "growth in KiB: ")
		check(t, found, string(output))
		growth, err := strconv.Atoi(strings.Fields(measured)[0])
		check(t, err == nil && growth < allowedKiB, growth, err)
		t.Logf("%d KiB more", growth)
		return
	}
	client := clientOf(t, docfetch.Options{BaseURL: env(t, "DOCFETCH_URL"), APIKey: env(t, "DOCFETCH_LARGE_API_KEY")})
	_, _, err := client.EnvironmentAPI.GetEnvironment(ctx).Execute()
	check(t, err == nil, err)
	before := peak(t)
	download, err := client.DownloadDocument(ctx, env(t, "DOCFETCH_LARGE_UUID"), docfetch.DownloadOptions{})
	check(t, err == nil, err)
	defer download.Close()
	digest := sha256.New()
	size, err := io.Copy(digest, download)
	check(t, err == nil && strconv.FormatInt(size, 10) == env(t, "DOCFETCH_LARGE_BYTES"), size, err)
	found := hex.EncodeToString(digest.Sum(nil))
	check(t, found == env(t, "DOCFETCH_LARGE_SHA256") && found == download.SHA256, found)
	t.Logf("growth in KiB: %d ", peak(t)-before)
}

// peak is in KiB. The kernel's VmHWM, unlike getrusage, does not begin with the peak of the process that started this one.
func peak(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	check(t, err == nil, err)
	_, value, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(value)[0])
	check(t, err == nil, err)
	return kib
}
