import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, GatewayError, isErrorCode, type Params } from '../../core/errors.ts'
import { en as english } from '../../core/messages/en.ts'
import { chooseLanguage } from '../../core/messages/language.ts'
import { errorText } from '../../core/messages/messages.ts'
import { zh as chinese } from '../../core/messages/zh.ts'

const en: Readonly<Record<ErrorCode, string>> = english.error
const zh: Readonly<Record<ErrorCode, string>> = chinese.error

/** The server messages of the specifications' error catalogues (section 8 of each), and what says them. */
const CATALOGUE: Record<string, ErrorCode[]> = {
  // accounts, access and settings
  'username or password incorrect or user banned': ['CREDENTIALS_WRONG', 'USER_DISABLED'],
  'username or password empty': ['CREDENTIALS_EMPTY'],
  'password login disabled': ['PASSWORD_LOGIN_DISABLED'],
  'password registration disabled': ['PASSWORD_REGISTER_DISABLED'],
  'new registration disabled': ['REGISTER_DISABLED'],
  'GitHub or messaging-app login not enabled': ['PROVIDER_DISABLED'],
  'account already bound': ['IDENTITY_TAKEN'],
  'email already in use': ['EMAIL_TAKEN'],
  'email not registered': ['EMAIL_UNREGISTERED'],
  'verification code incorrect or expired': ['CODE_WRONG'],
  'reset link invalid or expired': ['RESET_INVALID'],
  'bot-check token empty or failed': ['TURNSTILE_MISSING', 'TURNSTILE_FAILED'],
  'unable to save session': ['SESSION_UNSAVED'],
  'invalid user id': ['USER_HEADER_MALFORMED', 'FIELD_WHOLE_NUMBER'],
  'user does not exist': ['USER_NOT_FOUND'],
  'user already an administrator or regular user': ['ALREADY_ADMIN', 'ALREADY_COMMON'],
  'no permission for this operation (three variants)': ['PERMISSION_DENIED', 'LEVEL_TOO_LOW', 'USER_INFO_INVALID'],
  'not logged in and no access token': ['NOT_SIGNED_IN'],
  'invalid access token': ['ACCESS_TOKEN_INVALID'],
  // operations
  'Insufficient quota': ['INSUFFICIENT_QUOTA'],
  'Insufficient token quota': ['INSUFFICIENT_TOKEN_QUOTA'],
  'Invalid, expired or exhausted token': ['TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_EXHAUSTED'],
  'No redemption code provided': ['REDEMPTION_KEY_MISSING'],
  'Invalid redemption code': ['REDEMPTION_INVALID'],
  'This redemption code has been used': ['REDEMPTION_USED'],
  'Invalid channel ID': ['CHANNEL_ID_INVALID'],
  'This channel has been disabled': ['CHANNEL_DISABLED'],
  'No available channels': ['NO_CHANNEL'],
  'Channel does not exist': ['CHANNEL_NOT_FOUND'],
  'No permission for this operation': ['PERMISSION_DENIED'],
}

/** Phrases whose English wording clients can rely on. The texts may add values. */
const WORDINGS = [
  'Insufficient quota',
  'Insufficient token quota',
  'No redemption code provided',
  'Invalid redemption code',
  'This redemption code has been used',
  'Invalid channel ID',
  'This channel has been disabled',
  'No available channels',
  'Channel does not exist',
  'No permission for this operation',
]

describe('the messages', () => {
  test.each(Object.entries(CATALOGUE))('"%s" exists in both languages', (_, codes) => {
    for (const code of codes) {
      expect(zh[code]).toMatch(/[\u4e00-\u9fff]|^Turnstile/)
      expect(en[code]).toMatch(/^[\x20-\x7e…]+$/)
    }
  })

  test.each(WORDINGS)('the English text begins with "%s"', (wording) => {
    const codes = CATALOGUE[wording] ?? []
    expect(codes).not.toEqual([])
    for (const code of codes) expect(en[code].startsWith(wording)).toBe(true)
  })

  test('both languages have the same texts, with a text for each code', () => {
    const idsOf = (texts: object) =>
      Object.entries(texts).flatMap(([area, rows]) => Object.keys(rows).map((key) => `${area}.${key}`))
    // Chinese has no form for one.
    expect(idsOf(chinese)).toEqual(idsOf(english).filter((id) => !id.endsWith('_one')))
    const longer = Object.keys(en).filter((id) => /_[a-z]\w*$/.test(id))
    expect(Object.keys(en).filter((id) => id !== 'INTERNAL' && !isErrorCode(id))).toEqual(longer)
    expect(longer.filter((id) => !isErrorCode(id.replace(/_[a-z]\w*$/, '')))).toEqual([])
  })

  test('no two catalog phrases have the same text', () => {
    const codes = new Set(Object.values(CATALOGUE).flat())

    for (const catalogue of [zh, en]) expect(new Set([...codes].map((code) => catalogue[code])).size).toBe(codes.size)
  })

  test('a documented Chinese wording may have fewer parameters than the English one, never more; and no brace is left in either', () => {
    for (const code of Object.keys(en).filter(isErrorCode)) {
      const names = parametersOf(en[code])
      const given = Object.fromEntries(names.map((name) => [name, '1']))
      expect({ code, more: parametersOf(zh[code]).filter((name) => !names.includes(name)) }).toEqual({ code, more: [] })
      for (const language of ['zh', 'en'] as const) {
        expect(errorText(new GatewayError(code, given), language)).not.toMatch(/[{}]|undefined|^\s*$/)
      }
    }
  })

  test('each throw of a code passes the parameters of its text', async () => {
    const lacking = (await thrown()).flatMap(({ file, code, given }) =>
      [zh[code], en[code]]
        .flatMap((text) => parametersOf(text))
        .filter((name) => !given.includes(name) && !given.some((key) => key.startsWith('...')))
        .map((name) => `${file}: ${code} without ${name}`),
    )

    expect([...new Set(lacking)]).toEqual([])
  })

  test('too many requests: the text has the time to retry, if known', () => {
    const textOf = (params: Params) => errorText(new GatewayError('RATE_LIMITED', params), 'en')
    expect(textOf({ retryAfterSeconds: 7 })).toBe('Too many requests. Try again later (in 7 s)')
    expect(textOf({})).toBe('Too many requests. Try again later')
    expect(errorText(new GatewayError('TOKEN_EXHAUSTED', { key: 'sk-1' }), 'en')).toMatch(/ \[sk-1\]$/)
  })

  test.each([
    ['en', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['zh;q=0.1,en-GB;q=0.5', 'en'],
    ['fr,en;q=0', 'zh'],
    ['', 'zh'],
    ['en;q=;;,,', 'zh'],
  ])('Accept-Language %j gets %s', (header, language) => {
    expect(chooseLanguage(header, 'zh')).toBe(language)
  })
})

function parametersOf(template: string): string[] {
  return [...template.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Thrown {
  file: string
  code: ErrorCode
  given: string[]
}

/** Every `new GatewayError('CODE', { … })` of the program; parameters that are a variable are taken on trust. */
async function thrown(): Promise<Thrown[]> {
  const thrown: Thrown[] = []
  for (const room of ['core', 'server', 'cli']) {
    const files = await readdir(join(ROOT, room), { recursive: true })
    for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
      const source = await readFile(join(ROOT, room, file), 'utf8')
      for (const match of source.matchAll(/new GatewayError\(\s*'(\w+)'(\)|,\s*\{)/g)) {
        const [whole, code, next] = match
        const given = next === ')' ? [] : keysAt(source, match.index + whole.length)
        thrown.push({ file: join(room, file), code: code as ErrorCode, given })
      }
    }
  }
  return thrown
}

/** The keys of the object literal whose brace has just been read. */
function keysAt(source: string, start: number): string[] {
  let depth = 1
  let flat = ''
  for (let at = start; depth > 0 && at < source.length; at++) {
    const character = source[at] ?? ''
    if ('{[('.includes(character)) depth += 1
    if ('}])'.includes(character)) depth -= 1
    if (depth === 1) flat += character
  }
  return flat.split(',').map((entry) => entry.split(':')[0]?.trim() ?? '')
}
