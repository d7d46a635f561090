import { takeDeviations } from '../harness/conformance/check-all-responses';

// In every e2e test: fails the test when a response of the service deviates from the OpenAPI document.
const expectConformance = () => expect([...new Set(takeDeviations())]).toEqual([]);

afterEach(expectConformance);
afterAll(expectConformance);
