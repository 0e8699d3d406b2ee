package pool

import "testing"

func TestConfigValidate(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"the defaults are valid":          {Default(), ""},
		"the least is valid":              {Config{Size: 1, BufferSize: 1}, ""},
		"the most is valid":               {Config{Size: 1000, BufferSize: 10000}, ""},
		"no goroutine":                    {Config{Size: 0, BufferSize: 1}, "WORKER_POOL_SIZE: is 0, must be a whole number from 1 to 1000"},
		"too many goroutines":             {Config{Size: 1001, BufferSize: 1}, "WORKER_POOL_SIZE: is 1001, must be a whole number from 1 to 1000"},
		"no room":                         {Config{Size: 1, BufferSize: 0}, "WORKER_BUFFER_SIZE: is 0, must be a whole number from 1 to 10000"},
		"too much room":                   {Config{Size: 1, BufferSize: 10001}, "WORKER_BUFFER_SIZE: is 10001, must be a whole number from 1 to 10000"},
		"all problems are told, not one":  {Config{Size: -1, BufferSize: -2}, "WORKER_POOL_SIZE: is -1, must be a whole number from 1 to 1000\nWORKER_BUFFER_SIZE: is -2, must be a whole number from 1 to 10000"},
		"the zero value is not a default": {Config{}, "WORKER_POOL_SIZE: is 0, must be a whole number from 1 to 1000\nWORKER_BUFFER_SIZE: is 0, must be a whole number from 1 to 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := text(c.config.Validate()); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			p, err := New(c.config, func(int) {})
			if got := text(err); got != c.want {
				t.Errorf("New: got  %q\nwant %q", got, c.want)
			}
			if err == nil {
				p.Close()
			}
		})
	}
}

func TestNewWithoutRun(t *testing.T) {
	const want = "WORKER_POOL_SIZE: is 0, must be a whole number from 1 to 1000\nrun: is nil, must be a function"
	_, err := New[int](Config{BufferSize: 1}, nil)
	if got := text(err); got != want {
		t.Errorf("New: got %q, want %q", got, want)
	}
	_, err = NewLimited[int](Config{BufferSize: 1}, nil, nil)
	if got := text(err); got != want {
		t.Errorf("NewLimited: got %q, want %q", got, want)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
