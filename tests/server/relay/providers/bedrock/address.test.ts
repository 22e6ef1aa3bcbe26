import { describe, expect, test } from 'vitest'
import { bedrockId, bedrockUrl, isClaude } from '../../../../../server/relay/providers/bedrock/address.ts'
import { readBedrockKey } from '../../../../../server/relay/providers/bedrock/key.ts'
import { credentialHeaders } from '../../../../../server/relay/providers/bedrock/signature.ts'

describe('model names on Bedrock', () => {
  test.each([
    ['claude-instant-1.2', 'us-east-1', 'anthropic.claude-instant-v1'],
    ['claude-2.1', 'us-east-1', 'anthropic.claude-v2:1'],
    ['claude-3-haiku-20240307', 'us-west-2', 'us.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-haiku-20240307', 'eu-central-1', 'eu.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-haiku-20240307', 'ap-northeast-1', 'apac.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-haiku-20240307', 'sa-east-1', 'anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-opus-20240229', 'eu-west-1', 'anthropic.claude-3-opus-20240229-v1:0'],
    ['claude-3-5-sonnet-20241022', 'ap-southeast-2', 'apac.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-sonnet-4-5', 'us-east-1', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-sonnet-4-5-20250929', 'ca-central-1', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-haiku-4-5', 'ap-northeast-3', 'jp.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['claude-opus-4-6', 'ap-southeast-2', 'au.anthropic.claude-opus-4-6-v1'],
    ['claude-sonnet-5', 'ap-northeast-1', 'global.anthropic.claude-sonnet-5'],
    ['claude-opus-5', 'sa-east-1', 'global.anthropic.claude-opus-5'],
  ])('%s is called in %s as %s', (model, region, id) => {
    expect(bedrockId(model, region)).toBe(id)
  })

  test.each([
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'us.amazon.nova-pro-v1:0',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc',
    'constructor',
  ])('%s is an unknown name, and stays unchanged', (model) => {
    expect(bedrockId(model, 'us-east-1')).toBe(model)
  })

  test.each([
    ['anthropic.claude-v2', true],
    ['eu.anthropic.claude-3-haiku-20240307-v1:0', true],
    ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-6', true],
    ['claude-of-tomorrow', true],
    ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc', false],
    ['us.amazon.nova-pro-v1:0', false],
    ['moonshot.kimi-k2-thinking', false],
  ])('%s is called in the format of Anthropic: %s', (id, claude) => {
    expect(isClaude(id)).toBe(claude)
  })

  test('a name is URL-encoded in the address, colons and slashes too', () => {
    const url = bedrockUrl(
      { baseUrl: '', region: 'eu-west-1' },
      { id: 'arn:aws:bedrock:eu-west-1:1:profile/a b?#', action: 'converse' },
    )
    expect(url).toBe(
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Aprofile%2Fa%20b%3F%23/converse',
    )
  })

  test('the base URL of a channel replaces the host', () => {
    const place = { baseUrl: 'https://vpce-1.example/', region: 'us-east-1' }
    expect(bedrockUrl(place, { id: 'x', action: 'invoke' })).toBe('https://vpce-1.example/model/x/invoke')
  })
})

describe('keys for Bedrock', () => {
  test.each([
    ['AKID|secret|us-east-1', { accessKeyId: 'AKID', secretAccessKey: 'secret', region: 'us-east-1' }],
    [
      ' AKID | se/cr+et | us-gov-west-1 | to/ken== \n',
      { accessKeyId: 'AKID', secretAccessKey: 'se/cr+et', region: 'us-gov-west-1', sessionToken: 'to/ken==' },
    ],
    ['ABSKkey|ap-northeast-1', { bearer: 'ABSKkey', region: 'ap-northeast-1' }],
  ])('%j is accepted', (key, parts) => {
    expect(readBedrockKey({ id: 7, key })).toEqual(parts)
  })

  test.each([
    'AKID',
    'AKID|secret',
    'AKID||us-east-1',
    '|secret|us-east-1',
    'a|b|us-east-1|d|e',
    'a|b|evil.example/',
    '',
  ])('%j is rejected, without being quoted', (key) => {
    const read = () => readBedrockKey({ id: 7, key })
    expect(read).toThrow(expect.objectContaining({ code: 'CHANNEL_MISCONFIGURED' }))
    if (key) expect(read).not.toThrow(key)
  })
})

describe('signatures', () => {
  const request = {
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke',
    body: '{"anthropic_version":"bedrock-2023-05-31","max_tokens":16,"messages":[{"role":"user","content":"hi"}]}',
    contentType: 'application/json',
    at: new Date('2023-11-14T22:13:20Z'),
  }
  const key = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  }

  test('equal those of another implementation, with the path encoded twice', async () => {
    expect(await credentialHeaders(request, key)).toEqual({
      'x-amz-date': '20231114T221320Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20231114/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=19ea6fe7c8fd5d589abacbb595b686c3003ec5226332236fcda959067cadad81',
    })
  })

  test('cover the token of temporary credentials', async () => {
    const headers = await credentialHeaders(request, { ...key, sessionToken: 'token' })
    expect(headers['x-amz-security-token']).toBe('token')
    expect(headers.authorization).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,')
  })

  test('are not used for Bedrock API keys', async () => {
    expect(await credentialHeaders(request, { bearer: 'ABSKkey', region: 'us-east-1' })).toEqual({
      authorization: 'Bearer ABSKkey',
    })
  })
})
