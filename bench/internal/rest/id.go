package rest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// id returns the id of an object as callers see it.
func id(typ, value string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(typ + ":" + value))
}

// cursor returns the position of an item in its collection as callers see it.
func cursor(sk string) string { return base64.RawURLEncoding.EncodeToString([]byte(sk)) }

var errID = errors.New("this is not an id of this API")

// parseID returns the value of an id of the type.
func parseID(typ, text string) (string, error) {
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return "", errID
	}
	found, value, _ := strings.Cut(string(decoded), ":")
	if found != typ || value == "" || strings.Contains(value, "#") {
		return "", errID
	}
	return value, nil
}

// parseNode returns the key of the object with the id, and its type.
func parseNode(text string) (typ string, k key, err error) {
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || strings.Contains(string(decoded), "#") {
		return "", key{}, errID
	}
	switch parts := strings.Split(string(decoded), ":"); {
	case len(parts) == 2 && parts[0] == "User":
		return "User", userKey(parts[1]), nil
	case len(parts) == 2 && parts[0] == "Order":
		return "Order", key{"ORDER#" + parts[1], "ORDER#" + parts[1]}, nil
	case len(parts) == 3 && parts[0] == "Item":
		line, err := strconv.Atoi(parts[2])
		if err != nil {
			return "", key{}, errID
		}
		return "Item", key{"ORDER#" + parts[1], fmt.Sprintf("ITEM#%04d", line)}, nil
	}
	return "", key{}, errID
}
