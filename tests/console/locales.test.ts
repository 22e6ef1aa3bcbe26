import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import * as enRest from '../../console/locales/en.ts'
import * as enSettings from '../../console/locales/en-settings.ts'
import * as zhRest from '../../console/locales/zh.ts'
import * as zhSettings from '../../console/locales/zh-settings.ts'

const zh = { ...zhRest, ...zhSettings }
const en = { ...enRest, ...enSettings }

type Texts = { [key: string]: string | Texts }

/** `{ login: { title: 'Log in' } }` → `[['login.title', 'Log in']]` */
function flat(texts: Texts, prefix = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  )
}

const placeholders = (text: string) => [...text.matchAll(/{{\w+}}/g)].map(([name]) => name).sort()
const chinese = new Map(flat(zh))
const english = new Map(flat(en))
/** What English says of one thing alone, beside what it says of several. */
const ofOne = [...english.keys()].filter((key) => key.endsWith('_one'))

test('both languages have exactly the same keys, except for English singulars', () => {
  const keys = [...english.keys()].filter((key) => !ofOne.includes(key))
  expect(keys.sort()).toEqual([...chinese.keys()].sort())
})

test('an English singular has a plural with the same placeholders', () => {
  for (const key of ofOne) {
    const several = english.get(key.replace(/_one$/, ''))
    expect(several, key).toContain('{{count}}')
    expect(placeholders(english.get(key) ?? ''), key).toEqual(placeholders(several ?? ''))
  }
})

test('English distinguishes singular and plural', async () => {
  const english = createInstance()
  await english.init({ lng: 'en', resources: { en: { translation: en } } })
  expect([1, 2].map((count) => english.t('operation.cleared', { count }))).toEqual([
    '1 log row cleared!',
    '2 log rows cleared!',
  ])
})

test('no text is empty', () => {
  const empty = [...chinese, ...english].filter(([, text]) => text.trim() === '')
  expect(empty).toEqual([])
})

test('a text has the same placeholders in both languages', () => {
  for (const [key, text] of chinese) expect(placeholders(english.get(key) ?? ''), key).toEqual(placeholders(text))
})

test('no English text contains Chinese', () => {
  const mixed = [...english].filter(([, text]) => /\p{Script=Han}/u.test(text))
  expect(mixed).toEqual([])
})

test('Chinese uses one term for channel', () => {
  // The specification has this text word for word.
  const given = 'channel.selectToDelete'
  expect([...chinese].filter(([key, text]) => key !== given && text.includes('通道'))).toEqual([])
})

/** Names, formats, protocols, units and literal input: words that Chinese texts write in Latin letters. */
const LATIN =
  /^(Accept|AI|Ali|Anthropic|API|About|App|Authorization|BotFather|Bot|Client|Codex|CSV|Ctrl|curl|DashScope|Discord|Enter|Entra|English|Epay|fast|FastGPT|Gemini|GET|GIF|GitHub|Google|HTML|HTTP|https?|Id|ID|IP|Issuer|JPEG|JSON|Key|Lark|LinuxDO|Lobe|Logo|Markdown|MB|Midjourney|MIT|MJ|Next|OAuth|OIDC|OpenAI|openid|PNG|POST|Prompt|Responses|RPM|SDK|Secret|Server|Shift|SMTP|SSL|Suno|Swagger|Switch|Telegram|TLS|Token|Tokens|token|tokens|Tollgate|TPM|TRUST_PROXY|Turnstile|URL|UTC|Web|WebP|WebSocket|WeChat|Worker|x|xunfei)$/i

test('no Chinese text contains an English sentence: at most two adjacent words that are not names', () => {
  const english = [...chinese]
    .filter(([, text]) => /\p{Script=Han}/u.test(text))
    .flatMap(([key, text]) => {
      const words = text.replace(/\{\{\w+\}\}|https?:\S+|tollgate [a-z -]+|[\w.-]+\.\w+|"[^"]*"|\/\S+/g, ' ')
      return (words.match(/[A-Za-z]{2,}(?: [A-Za-z']{2,})+/g) ?? [])
        .filter((phrase) => phrase.split(' ').filter((word) => !LATIN.test(word)).length > 1)
        .map((phrase) => `${key}: ${phrase}`)
    })
  expect(english).toEqual([])
})
