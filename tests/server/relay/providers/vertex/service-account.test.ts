import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import type { ProviderContext } from '../../../../../server/relay/providers/provider.ts'
import {
  credentialKey,
  googleAccessToken,
  serviceAccountOf,
} from '../../../../../server/relay/providers/vertex/service-account.ts'
import { contextWith, liveChannel } from '../../../../support/ask.ts'
import { startUpstream } from '../../../../support/hand-made-upstream.ts'
import { PUBLIC_KEY, serviceAccountKey } from '../../../../support/service-account.ts'

const VERTEX = 41
const NOW = 1_700_000_000_000

/** A context whose calls go out, to the loopback address of a test. */
const meansThatCall = (more: Partial<ProviderContext> = {}): ProviderContext =>
  contextWith({
    call: async ({ url, headers, body }) => {
      const response = await fetch(url, { method: 'POST', headers, body: body as string })
      return { status: response.status, headers: {}, body: Buffer.from(await response.arrayBuffer()) }
    },
    ...more,
  })

async function exchange(fields: Record<string, unknown> = {}, answer: { status?: number; body?: unknown } = {}) {
  const { status = 200, body = { access_token: 'ya29.token', expires_in: 3600, token_type: 'Bearer' } } = answer
  const endpoint = await startUpstream(({ response }) => response.writeHead(status).end(JSON.stringify(body)))
  const channel = liveChannel(VERTEX, { key: serviceAccountKey({ token_uri: `${endpoint.url}/token`, ...fields }) })
  const account = serviceAccountOf(channel)
  if (!account) throw new Error('The key was not understood')
  return { endpoint, channel, account }
}

describe('the token exchange', () => {
  test('sends an assertion signed by the account, for this endpoint, for an hour', async () => {
    const { endpoint, channel, account } = await exchange()
    expect(await googleAccessToken(channel, account, meansThatCall())).toBe('ya29.token')

    const [asked] = endpoint.seen
    expect(asked?.path).toBe('/token')
    expect(asked?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    const form = new URLSearchParams(asked?.raw.toString())
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', PUBLIC_KEY, {
      currentDate: new Date(NOW),
    })
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' })
    expect(payload).toEqual({
      iss: 'relay@my-project.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${endpoint.url}/token`,
      iat: NOW / 1000,
      exp: NOW / 1000 + 3600,
    })
  })

  test('reads a private key with escaped line feeds', async () => {
    const pem = JSON.parse(serviceAccountKey()).private_key as string
    const { channel, account } = await exchange({ private_key: pem.replaceAll('\n', '\\n') })
    expect(await googleAccessToken(channel, account, meansThatCall())).toBe('ya29.token')
  })

  test('returns the token with five minutes less than its lifetime, under its own name', async () => {
    const { channel, account } = await exchange()
    const requests: { key: string; expiresAt: number }[] = []
    const credential: ProviderContext['credential'] = async (key, ask) => {
      const { value, expiresAt } = await ask()
      requests.push({ key, expiresAt })
      return value
    }
    await googleAccessToken(channel, account, meansThatCall({ credential }))
    expect(requests).toEqual([{ key: credentialKey(channel, account), expiresAt: NOW + 3_300_000 }])
    expect(credentialKey({ id: 8 }, account)).not.toBe(credentialKey({ id: 7 }, account))
    expect(credentialKey(channel, account)).not.toContain('PRIVATE')
  })

  test.each([
    [400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, /Invalid JWT Signature/],
    [200, {}, /status 200/],
  ])('rejected with %i has the reason', async (status, body, reason) => {
    const { channel, account } = await exchange({}, { status, body })
    await expect(googleAccessToken(channel, account, meansThatCall())).rejects.toMatchObject({
      code: 'CHANNEL_MISCONFIGURED',
      params: { reason: expect.stringMatching(reason) },
    })
  })

  test('that fails at Google is not a channel error', async () => {
    const { channel, account } = await exchange({}, { status: 503, body: {} })
    await expect(googleAccessToken(channel, account, meansThatCall())).rejects.toThrow(/503/)
    await expect(googleAccessToken(channel, account, meansThatCall())).rejects.not.toHaveProperty('code')
  })

  test('with an invalid key names the field, and does not quote it', async () => {
    const { channel, account } = await exchange({ private_key: 'secret-nonsense' })
    const refusal = googleAccessToken(channel, account, meansThatCall())
    await expect(refusal).rejects.toMatchObject({ code: 'CHANNEL_MISCONFIGURED' })
    await expect(refusal).rejects.not.toThrow(/secret-nonsense/)
  })
})

describe('the key of a channel', () => {
  test('without a field is rejected by the name of the field', () => {
    for (const name of ['project_id', 'client_email', 'private_key']) {
      const key = serviceAccountKey({ [name]: undefined })
      expect(() => serviceAccountOf({ id: 7, key })).toThrow(new RegExp(name))
    }
    expect(() => serviceAccountOf({ id: 7, key: '{"broken' })).toThrow(/CHANNEL_MISCONFIGURED/)
  })

  test("has Google's endpoint by default; text that is not JSON is an API key", () => {
    expect(serviceAccountOf({ id: 7, key: serviceAccountKey() })?.tokenUri).toBe('https://oauth2.googleapis.com/token')
    expect(serviceAccountOf({ id: 7, key: 'AIzaKey' })).toBeUndefined()
  })
})
