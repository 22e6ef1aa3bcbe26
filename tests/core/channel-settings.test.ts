import { describe, expect, test } from 'vitest'
import { checkFields } from '../../core/channels/check.ts'
import { parseSettings } from '../../core/channels/settings/settings.ts'

const save = (setting: unknown) => checkFields({ setting: JSON.stringify(setting) })

describe('on save', () => {
  test.each([
    [{ proxy: 'ftp://proxy.example' }, 'FIELD_PROXY', 'setting.proxy'],
    [{ proxy: 'http://ann:100%@proxy.example' }, 'FIELD_PROXY', 'setting.proxy'],
    [{ proxy: 'proxy.example:8080' }, 'FIELD_PROXY', 'setting.proxy'],
    [{ proxy: 5 }, 'FIELD_TEXT', 'setting.proxy'],
    [{ force_format: 'true' }, 'FIELD_BOOLEAN', 'setting.force_format'],
    [{ thinking_to_content: 1 }, 'FIELD_BOOLEAN', 'setting.thinking_to_content'],
    [{ pass_through_body_enabled: 'no' }, 'FIELD_BOOLEAN', 'setting.pass_through_body_enabled'],
    [{ system_prompt_override: {} }, 'FIELD_BOOLEAN', 'setting.system_prompt_override'],
    [{ allow_service_tier: 1 }, 'FIELD_BOOLEAN', 'setting.allow_service_tier'],
    [{ azure_keep_dots: 0 }, 'FIELD_BOOLEAN', 'setting.azure_keep_dots'],
    [{ allow_google_files: 1 }, 'FIELD_BOOLEAN', 'setting.allow_google_files'],
    [{ shared_objects: 'yes' }, 'FIELD_BOOLEAN', 'setting.shared_objects'],
    [{ system_prompt: ['a'] }, 'FIELD_TEXT', 'setting.system_prompt'],
    [{ param_override: [] }, 'FIELD_OBJECT', 'setting.param_override'],
    [{ param_override: '{"a":1}' }, 'FIELD_OBJECT', 'setting.param_override'],
    [{ param_override: { stream: true } }, 'FIELD_WITHOUT', 'setting.param_override'],
    [{ param_override: { operations: [{ mode: 'set' }] } }, 'FIELD_WITHOUT', 'setting.param_override'],
    [{ header_override: 'a: b' }, 'FIELD_OBJECT', 'setting.header_override'],
    [{ header_override: { 'x-a': 1 } }, 'FIELD_JSON_TEXTS', 'setting.header_override'],
    [{ header_override: { 'x-a': 'b\r\nc: d' } }, 'FIELD_HEADER', 'setting.header_override'],
    [{ header_override: { 'x-a\n': 'b' } }, 'FIELD_HEADER', 'setting.header_override'],
    [{ header_override: { 'x a': 'b' } }, 'FIELD_HEADER', 'setting.header_override'],
    [{ header_override: { 'x-a': '中文' } }, 'FIELD_HEADER', 'setting.header_override'],
    [{ header_override: { Host: 'b' } }, 'FIELD_WITHOUT', 'setting.header_override'],
    [{ header_override: { 'Content-Length': '1' } }, 'FIELD_WITHOUT', 'setting.header_override'],
    [{ header_override: { connection: 'close' } }, 'FIELD_WITHOUT', 'setting.header_override'],
    [{ header_override: { 'transfer-encoding': 'chunked' } }, 'FIELD_WITHOUT', 'setting.header_override'],
    [{ header_override: { 'x-a': '{client_header:Authorization}' } }, 'FIELD_WITHOUT', 'setting.header_override'],
    [{ allow_anthropic_betas: 'a-1' }, 'FIELD_LIST', 'setting.allow_anthropic_betas'],
    [{ allow_anthropic_betas: ['a-1', 'b,c'] }, 'FIELD_BETA', 'setting.allow_anthropic_betas'],
    [{ dialects: 'gemini' }, 'FIELD_LIST', 'setting.dialects'],
    [{ dialects: ['gemini', 'smalltalk'] }, 'FIELD_CHOICE', 'setting.dialects'],
  ])('%j is rejected: %s', (setting, code, field) => {
    expect(() => save(setting)).toThrow(
      expect.objectContaining({ code, params: expect.objectContaining({ field }) as unknown }),
    )
  })

  test('a rejected proxy is not repeated, because it may contain a password', () => {
    expect(() => save({ proxy: 'ftp://ann:hidden@proxy.example' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hidden') as unknown }),
    )
  })

  test('valid settings are stored unchanged, with unknown keys', () => {
    const setting = {
      proxy: 'socks5://ann:secret@proxy.example:1080',
      force_format: false,
      param_override: { temperature: 0 },
      header_override: { 'X-Team': 'blue', 'x-key': '{api_key}', 'x-trace': '{client_header:x-trace}' },
      system_prompt: null,
      dialects: ['anthropic-messages', 'openai-chat'],
      somebody_elses: { key: [1] },
    }
    expect(save(setting)).toEqual({ setting: JSON.stringify(setting) })
  })

  test.each(['', 'null'])('%j clears the settings', (setting) => {
    expect(checkFields({ setting })).toEqual({ setting: '' })
  })
})

describe('a column', () => {
  test.each([null, '', 'null', '[]', '{', '"a"'])('with %j has no settings', (column) => {
    expect(parseSettings(column)).toEqual({
      forceFormat: false,
      thinkingToContent: false,
      passThroughBody: false,
      systemPromptOverride: false,
      allowServiceTier: false,
      azureKeepDots: false,
      allowGoogleFiles: false,
      sharedObjects: false,
      storeResponses: true,
    })
  })

  test('with invalid parts, as an import may bring, keeps the valid ones', () => {
    const column = JSON.stringify({
      proxy: '  http://proxy.example ',
      force_format: 'yes',
      thinking_to_content: true,
      param_override: '{"temperature":0,"stream":true}',
      header_override: { 'X-A': 'b', 'x-b': 1, Host: 'c', 'x-d': 'e\nf' },
      allow_anthropic_betas: ['a-1', 'b c', 2],
      dialects: ['gemini', 'smalltalk', 'openai-chat', 'gemini'],
      system_prompt: '',
    })
    expect(parseSettings(column)).toEqual({
      proxy: 'http://proxy.example',
      forceFormat: false,
      thinkingToContent: true,
      passThroughBody: false,
      systemPromptOverride: false,
      allowServiceTier: false,
      azureKeepDots: false,
      allowGoogleFiles: false,
      sharedObjects: false,
      storeResponses: true,
      paramOverride: { temperature: 0 },
      headerOverride: { 'x-a': 'b' },
      anthropicBetas: ['a-1'],
      dialects: ['gemini', 'openai-chat'],
    })
  })
})
