import type { OpenAPIObject } from '@nestjs/swagger';
import { describeRequests } from './describe-requests';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } });
const text = { type: 'string' };

function described(): OpenAPIObject {
  const document = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {
      '/a': {
        post: {
          requestBody: { required: true, ...json('Create') },
          responses: { 201: { ...json('View'), description: '' } },
        },
        patch: { requestBody: { required: true, ...json('Update') }, responses: {} },
        put: { requestBody: { required: true, ...json('Rename') }, responses: {} },
      },
    },
    components: {
      schemas: {
        Create: { type: 'object', properties: { inner: ref('Inner'), both: ref('Both') }, required: ['inner'] },
        Inner: { type: 'object', properties: { text } },
        Both: { type: 'object', properties: { text } },
        View: { type: 'object', properties: { both: ref('Both') } },
        Update: { type: 'object', properties: { text } },
        Rename: { type: 'object', 'x-needs-member': true, properties: { text } },
      },
    },
  } as unknown as OpenAPIObject;
  describeRequests(document);
  return document;
}

describe('The description of requests (decisions 1)', () => {
  it('rejects unknown properties of bodies, and of the objects in them', () => {
    const { schemas } = described().components!;
    for (const name of ['Create', 'Inner', 'Update', 'Rename'])
      expect(schemas![name]).toMatchObject({ additionalProperties: false });
  });

  it('leaves open what a response contains, because later versions may add properties', () => {
    const { schemas } = described().components!;
    for (const name of ['Both', 'View']) expect(schemas![name]).not.toHaveProperty('additionalProperties');
  });

  it('requires a body that has a required property, or that needs any', () => {
    const { post, patch, put } = described().paths['/a']!;
    const required = [post, patch, put].map((operation) => (operation!.requestBody as { required: boolean }).required);
    expect(required).toEqual([true, false, true]);
    expect(JSON.stringify(described())).not.toContain('x-needs-member');
  });
});
