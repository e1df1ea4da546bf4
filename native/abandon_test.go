package native

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// Cancelled calls run on, but at most two of them: the next call waits.
func TestAbandonedCallsAreBounded(t *testing.T) {
	release := make(chan struct{})
	started := make(chan struct{}, 10)
	slow := func() (int, error) {
		started <- struct{}{}
		<-release
		return 1, nil
	}
	for range maxAbandoned {
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-started; cancel() }()
		if _, err := Abandonable(ctx, slow); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := Abandonable(ctx, slow); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error %v", err)
	}
	if len(started) > 0 {
		t.Error("a third call started while two abandoned ones ran")
	}
	close(release)
	if v, err := Abandonable(context.Background(), func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("after their end: %v, %v", v, err)
	}
}

func TestAbandonablePanics(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), "broken") {
			t.Errorf("recovered %v", p)
		}
	}()
	_, _ = Abandonable(context.Background(), func() (int, error) { panic("broken") })
}
