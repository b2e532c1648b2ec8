package app_test

import "errors"

func makePipe(string) error { return errors.New("folders have no pipes on Windows") }
