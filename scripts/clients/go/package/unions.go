package switchyard

import (
	"encoding/json"
	"reflect"
)

func encodeUnion(value any) ([]byte, error) {
	return json.Marshal(value)
}

// propertyOf is a text in a JSON object; empty where there is none.
func propertyOf(data []byte, name string) string {
	var object map[string]json.RawMessage
	var value string
	if json.Unmarshal(data, &object) != nil || json.Unmarshal(object[name], &value) != nil {
		return ""
	}
	return value
}

// decodeUnion reads JSON into what the value points to, or else into what encoding/json makes of it.
func decodeUnion(data []byte, value *any) error {
	if *value != nil && reflect.TypeOf(*value).Kind() == reflect.Pointer {
		return json.Unmarshal(data, *value)
	}
	return json.Unmarshal(data, value)
}
