import { takeDeviations } from '../harness/conformance/check-all-responses';

// In every e2e test: whatever the service answered is in the OpenAPI document, or the test fails.
const expectConformance = () => expect([...new Set(takeDeviations())]).toEqual([]);

afterEach(expectConformance);
afterAll(expectConformance);
