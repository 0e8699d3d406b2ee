package endpoint

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"
)

const (
	cborProtocol = "rpc-v2-cbor"
	graniteAPI   = "GraniteServiceVersion20100801."
	epochTag     = 1 // CBOR tag of a time in seconds
)

// timestampNames are the members of CloudWatch's answers that are times: numbers in JSON, tagged in CBOR.
var timestampNames = map[string]bool{
	"Timestamp": true, "Timestamps": true, "StartTime": true, "EndTime": true,
	"StateUpdatedTimestamp": true, "StateTransitionedTimestamp": true, "AlarmConfigurationUpdatedTimestamp": true,
	"LastModified": true, "CreationDate": true, "LastUpdateDate": true,
}

var cborDecoder = mustDecMode(cbor.DecOptions{
	DefaultMapType: reflect.TypeFor[map[string]any](),
	TimeTagToAny:   cbor.TimeTagToTime,
})

func mustDecMode(options cbor.DecOptions) cbor.DecMode {
	mode, err := options.DecMode()
	if err != nil {
		panic(err) // the options are constants
	}
	return mode
}

// serveCBOR answers a CloudWatch request in rpc-v2-cbor by way of the upstream's JSON 1.1.
func (e *Endpoint) serveCBOR(w http.ResponseWriter, r *http.Request, operation string) {
	body, err := readBody(w, r)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	input, err := jsonFromCBOR(body, r.Header.Get("Content-Encoding"))
	if err != nil {
		Refusal{Status: http.StatusBadRequest, Code: "SerializationException", Message: err.Error()}.write(w, r)
		return
	}
	answer, err := e.askCloudWatch(r, operation, input)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	output, err := cborFromJSON(answer.body)
	if err != nil {
		e.fail(w, r, fmt.Errorf("translate answer of %s: %w", operation, err))
		return
	}
	writeCBOR(w, answer.status, output)
}

func (e *Endpoint) askCloudWatch(r *http.Request, operation string, input []byte) (reply, error) {
	clone := r.Clone(r.Context())
	clone.URL.Path = "/"
	clone.Header = jsonHeader(graniteAPI+operation, r.Header.Get("Authorization"))
	return e.upstream.forward(clone, input)
}

func writeCBOR(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Smithy-Protocol", cborProtocol)
	w.Header().Set("Content-Type", "application/cbor")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// jsonFromCBOR turns a request into JSON: times become seconds, byte strings base64. The SDKs compress large
// PutMetricData requests.
func jsonFromCBOR(data []byte, encoding string) ([]byte, error) {
	if encoding == "gzip" {
		var err error
		if data, err = decompress(data); err != nil {
			return nil, fmt.Errorf("decompress request: %w", err)
		}
	}
	if len(data) == 0 {
		return []byte("{}"), nil
	}
	var value any
	if err := cborDecoder.Unmarshal(data, &value); err != nil {
		return nil, fmt.Errorf("decode CBOR: %w", err)
	}
	return json.Marshal(withoutTimes(value))
}

func decompress(data []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(reader, maxBody))
}

func withoutTimes(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = withoutTimes(member)
		}
	case []any:
		for i, member := range value {
			value[i] = withoutTimes(member)
		}
	case time.Time:
		return float64(value.UnixMilli()) / 1000
	}
	return value
}

// cborFromJSON turns an answer into CBOR: members known to be times are tagged, whole numbers stay whole.
func cborFromJSON(data []byte) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return cbor.Marshal(map[string]any{})
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("decode JSON: %w", err)
	}
	return cbor.Marshal(withTimes("", value))
}

func withTimes(name string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			value[key] = withTimes(key, member)
		}
	case []any:
		for i, member := range value {
			value[i] = withTimes(name, member)
		}
	case json.Number:
		return number(name, value)
	}
	return value
}

func number(name string, n json.Number) any {
	float, _ := n.Float64() // the decoder has checked it
	if timestampNames[name] {
		return cbor.Tag{Number: epochTag, Content: float}
	}
	if whole, err := n.Int64(); err == nil && !strings.ContainsAny(n.String(), ".eE") {
		return whole
	}
	return float
}
