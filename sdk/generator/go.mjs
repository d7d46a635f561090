// cspell:ignore gofmt
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { change } from './changes.mjs';
import { run } from './generator.mjs';

/** Where the generated code reads a success: it returns half a value beside an error, and nil without one for an empty body. */
const DECODED =
  /(err = a\.client\.decode\(&localVarReturnValue,.*\n)\s*if err != nil \{\n(?:.*\n){4}\s*return localVarReturnValue, localVarHTTPResponse, newErr\n\s*\}\n\s*return localVarReturnValue, localVarHTTPResponse, nil/g;
const CHECKED = '$1\treturn checked(a.client, localVarReturnValue, localVarHTTPResponse, err)';

const ANSWER = `// sdk/generate.mjs generates this file.

package api

import (
	"errors"
	"net/http"
	"reflect"
)

// answerChecker is a transport that has an error for answers that cannot be read.
type answerChecker interface {
	UnexpectedAnswer(response *http.Response, cause error) error
}

// checked returns either a value or an error. Only a 204 has neither.
func checked[T any](c *APIClient, value T, response *http.Response, err error) (T, *http.Response, error) {
	var none T
	kind := reflect.ValueOf(value)
	isMissing := kind.Kind() == reflect.Pointer && kind.IsNil()
	if err == nil && isMissing && response.StatusCode == http.StatusNoContent {
		return none, response, nil
	}
	if err == nil && isMissing {
		err = errors.New("the body is empty")
	}
	if err == nil {
		return value, response, nil
	}
	if checker, ok := c.cfg.HTTPClient.Transport.(answerChecker); ok {
		err = checker.UnexpectedAnswer(response, err)
	}
	return none, response, err
}
`;

export function finishGo(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith('api_') && readFileSync(path, 'utf8').includes('decode(&localVarReturnValue')) {
      change(path, [DECODED, CHECKED]);
    }
  }
  writeFileSync(join(folder, 'answer.go'), ANSWER);
  run('gofmt', ['-w', folder]);
}
