import { stopSharedApp } from '../harness/app/shared-app';
import { takeDeviations } from '../harness/conformance/check-all-responses';
import { recordSessionStatements, takeSessionStatements } from '../harness/conformance/session-statements';

// In every e2e test: fails the test when a response of the service deviates from the OpenAPI document, or when a statement would
// need the session of an earlier one, which poolers in transaction mode do not keep (decisions 8).
recordSessionStatements();
const expectConformance = () => {
  expect([...new Set(takeDeviations())]).toEqual([]);
  expect([...new Set(takeSessionStatements())]).toEqual([]);
};

afterEach(expectConformance);
afterAll(stopSharedApp);
afterAll(expectConformance);
