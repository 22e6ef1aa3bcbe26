import { expect, test } from 'vitest'
import type { EditedChannel } from '../../../../console/api/channel-form.ts'
import { channelFormOf, editOf } from '../../../../console/pages/channels/drawer/channel-form.ts'

const CHANNEL = {
  id: 7,
  type: 1,
  name: 'many keys',
  models: 'm',
  group: 'default',
  base_url: '',
  other: '',
  model_mapping: '',
  status_code_mapping: null,
  setting: '{"multi_key_mode":"random","org":12345678901234567890,"rate":1.0}',
  multi_key: { mode: 'random', keys: 2, set_aside: [] },
} as unknown as EditedChannel

test('the settings of a channel with several keys are shown as stored, except for the key mode', () => {
  expect(channelFormOf(CHANNEL).setting).toBe('{\n  "org": 12345678901234567890,\n  "rate": 1.0\n}')
})

test('another key mode leaves every other setting unchanged', () => {
  const start = channelFormOf(CHANNEL)

  expect(editOf(7, start, start)).toBeUndefined()
  expect(editOf(7, start, { ...start, multiKeyMode: 'polling' })?.setting).toBe(
    '{\n  "org": 12345678901234567890,\n  "rate": 1.0,\n  "multi_key_mode": "polling"\n}',
  )
  expect(editOf(7, start, { ...start, keyMode: 'one' })?.setting).toBe(start.setting)
})
