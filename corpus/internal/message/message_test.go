package message

import "testing"

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1536: "1.5 KiB", 64 << 20: "64.0 MiB", 3 << 50: "3072.0 TiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for s, want := range map[string]string{"": "", "short": "short", "a\nb\x00\xff": "a?b??", "ééééééé": "ééééé..."} {
		if got := Clip(s, 5); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
	if got := List([]string{"a", "b", "c"}, 2); got != "a, b, ... (3 in all)" {
		t.Errorf("list %q", got)
	}
}
