import { expect, test } from 'vitest'
import { withoutSecrets } from '../../../../server/relay/providers/failure.ts'

test.each([
  ['a key of OpenAI, be it a foreign one', 'Incorrect key: sk-abcdefgh12345.', 'Incorrect key: ***.'],
  ['a key of Google', 'Key AIzaSyA1234567890abcdefghij is bad', 'Key *** is bad'],
  ['an access key of AWS', 'user AKIAIOSFODNN7EXAMPLE', 'user ***'],
  ['a bearer token', 'header "Bearer ya29.abcdefgh"', 'header "Bearer ***"'],
  ['a bearer token without digits', 'Bearer eyJhbGciOiJSU.eyJzdWIiOi.c_d-e, please', 'Bearer ***, please'],
  ['a key in a basic header', 'Basic dXNlcjpwYXNzd29yZDEyMw==', 'Basic ***'],
  ['an organisation', 'in organization org-AbCd1234EfGh5678IjKl on', 'in organization *** on'],
  ['a key of Groq', 'key gsk_abcdefgh1234567890XYZ', 'key ***'],
  ['a token of Google', 'token ya29.a0Af_x-y refused', 'token *** refused'],
  ['a private key', 'bad -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- there', 'bad *** there'],
  ['a name of AWS', 'user arn:aws:iam::123456789012:user/ann is not', 'user *** is not'],
  ['the address of a database', 'to postgres://u:p@db.internal/x failed', 'to *** failed'],
  ['credentials without a scheme', 'to u:p4ss@db.internal:5432 failed', 'to *** failed'],
  ['a lookup', 'lookup internal-llm.corp.local on [fd00::1]:53: no such host', 'lookup *** on ***: no such host'],
  ['a failed lookup', 'getaddrinfo ENOTFOUND llm-7', 'getaddrinfo ENOTFOUND ***'],
  ['a name inside a network', 'host llm.default.svc.cluster.local is down', 'host *** is down'],
  ['a name with a port', 'dial tcp llm.example.org:8443, or localhost:80', 'dial tcp ***, or ***'],
  ['an address of IPv6', 'from fe80::1%eth0 or ::ffff:10.0.0.1 or 1:2:3:4:5:6:7:8', 'from *** or *** or ***'],
  ['the name of the channel’s own address', 'the host gpu.example.org answers no more', 'the host *** answers no more'],
  ['an address with credentials', 'at https://ann:pw@10.0.0.1:8080/x?key=1 now', 'at *** now'],
  ['the key of the channel, and each of its parts', 'id-12345678 and secret-9876', '*** and ***'],
])('%s is masked in an upstream message', (_, content, shown) => {
  const channel = { key: 'id-12345678|secret-9876', baseUrl: 'https://gpu.example.org/v1' }
  expect(withoutSecrets(content, channel)).toBe(shown)
})

test.each(['abcd', 'k$y.1', 'a|b+c', 'abcdefg'])('a short key such as %s is masked as a separate word', (key) => {
  expect(withoutSecrets(`Bad key ${key}. (${key}) "${key}"`, { key })).toBe('Bad key ***. (***) "***"')
  expect(withoutSecrets(`x${key}y`, { key })).toBe(`x${key}y`)
})

test('ordinary words stay', () => {
  const message = 'Bearer tokens are refused; the key-word api-version is missing'
  expect(withoutSecrets('The model o3-mini is overloaded', { key: 'o3' })).toBe('The model o3-mini is overloaded')
  expect(withoutSecrets(message.replace('api-version', 'api-v1'), { key: '' })).toContain('Bearer tokens are')
})

test.each([
  'Rate limit at 12:30:45, code:10013, error 429: wait 1.5s (see step 3:4)',
  'model llama3.1:8b needs std::io; max_tokens:4096 is above 2048',
  'Basic authentication is not supported; use proj_settings, org-wide or fw-rules',
  'messages.0.content: expected a string at $.messages[0].content[1:2]',
  'see platform.openai.com/docs; write to help@example.com',
])('%s stays', (content) => {
  expect(withoutSecrets(content, { key: '', baseUrl: 'not an address' })).toBe(content)
})

test('a long text without a break is masked in time', () => {
  for (const text of ['a.'.repeat(1000), ':'.repeat(2000), 'ab:'.repeat(700), '1.'.repeat(1000), 'a-'.repeat(1000)]) {
    const began = performance.now()
    withoutSecrets(text, { key: '' })
    expect(performance.now() - began).toBeLessThan(500)
  }
})
