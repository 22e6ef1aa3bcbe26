import { expect, test } from 'vitest'
import { withoutSecrets } from '../../../../server/relay/providers/failure.ts'

test.each([
  ['a key of OpenAI, be it a foreign one', 'Incorrect key: sk-abcdefgh12345.', 'Incorrect key: ***.'],
  ['a key of Google', 'Key AIzaSyA1234567890abcdefghij is bad', 'Key *** is bad'],
  ['an access key of AWS', 'user AKIAIOSFODNN7EXAMPLE', 'user ***'],
  ['a bearer token', 'header "Bearer ya29.abcdefgh"', 'header "Bearer ***"'],
  ['an address with credentials', 'at https://ann:pw@10.0.0.1:8080/x?key=1 now', 'at *** now'],
  ['the key of the channel, and each of its parts', 'id-12345678 and secret-9876', '*** and ***'],
])('%s is taken out of what an upstream says', (_, said, shown) => {
  expect(withoutSecrets(said, { key: 'id-12345678|secret-9876' })).toBe(shown)
})

test.each(['abcd', 'k$y.1', 'a|b+c', 'abcdefg'])('a short key such as %s is taken out where it stands alone', (key) => {
  expect(withoutSecrets(`Bad key ${key}. (${key}) "${key}"`, { key })).toBe('Bad key ***. (***) "***"')
  expect(withoutSecrets(`x${key}y`, { key })).toBe(`x${key}y`)
})

test('ordinary words stay', () => {
  const said = 'Bearer tokens are refused; the key-word api-version is missing'
  expect(withoutSecrets('The model o3-mini is overloaded', { key: 'o3' })).toBe('The model o3-mini is overloaded')
  expect(withoutSecrets(said.replace('api-version', 'api-v1'), { key: '' })).toContain('Bearer tokens are')
})
