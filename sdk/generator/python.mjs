import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { change } from './changes.mjs';

const filesOf = (folder) => readdirSync(folder).map((name) => join(folder, name));

/** Messages of pydantic show the input: passwords in `fields`, tokens and secrets in responses. */
const HIDE_INPUT = 'hide_input_in_errors=True';
/** The generator's format writes the offset without the colon that RFC 3339 requires. A time without an offset is local. */
const QUERY_TIME = /(\w+)\.strftime\(\s*self\.api_client\.configuration\.datetime_format\s*\)/g;

/** The arguments that a method accepts beside those of its signature, for type checkers. */
const INPUTS = `# sdk/generate.mjs generates this file.
"""Types of arguments that pydantic converts."""

from typing import TYPE_CHECKING, Any, Mapping, TypeVar, Union
from uuid import UUID

Model = TypeVar("Model")

if TYPE_CHECKING:
    Body = Union[Model, Mapping[str, Any]]
    UuidInput = Union[UUID, str]
else:
    UuidInput = UUID

    class Body:
        def __class_getitem__(cls, model):
            return model
`;

export function finishPython(folder) {
  writeFileSync(join(folder, 'inputs.py'), INPUTS);
  for (const path of filesOf(join(folder, 'models'))) {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('ConfigDict(')) continue;
    // Properties of a request that this version does not know are sent: the service decides. Those of responses are kept in
    // `additional_properties`.
    const more = text.includes('additional_properties') ? '' : "\n        extra='allow',";
    change(path, ['model_config = ConfigDict(', `model_config = ConfigDict(\n        ${HIDE_INPUT},${more}`]);
  }
  for (const path of filesOf(join(folder, 'api'))) {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('@validate_call')) continue;
    change(
      path,
      [/@validate_call$/gm, `@validate_call(config=ConfigDict(${HIDE_INPUT}))`],
      [
        'from pydantic import validate_call,',
        'from docfetch.generated.inputs import Body, UuidInput\nfrom pydantic import ConfigDict, validate_call,',
      ],
      ...(/[[]UUID[\],]/.test(text) ? [[/([[])UUID([\],])/g, '$1UuidInput$2']] : []),
      ...(/: \w+Request,$/m.test(text) ? [[/: (\w+Request),$/gm, ': Body[$1],']] : []),
      ...(text.includes('datetime_format') ? [[QUERY_TIME, '($1 if $1.tzinfo else $1.astimezone()).isoformat()']] : []),
    );
  }
}
