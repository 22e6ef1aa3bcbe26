import { expect, test } from 'vitest'
import { actionOfButton, actionOfChange, parseSimpleChange } from '../../../core/tasks/drawing-actions.ts'

const UUID = '5f1c2a9e-8a1b-4f7e-9b7a-2f4f0a6f5c11'

test.each([
  [`MJ::JOB::upsample::2::${UUID}`, 'UPSCALE'],
  [`MJ::JOB::upsample_v6_2x_subtle::1::${UUID}::SOLO`, 'UPSCALE'],
  [`MJ::JOB::variation::4::${UUID}`, 'VARIATION'],
  [`MJ::JOB::low_variation::1::${UUID}::SOLO`, 'LOW_VARIATION'],
  [`MJ::JOB::high_variation::1::${UUID}::SOLO`, 'HIGH_VARIATION'],
  [`MJ::JOB::reroll::0::${UUID}::SOLO`, 'REROLL'],
  [`MJ::JOB::pan_left::1::${UUID}::SOLO`, 'PAN'],
  [`MJ::Outpaint::50::1::${UUID}::SOLO`, 'ZOOM'],
  [`MJ::CustomZoom::${UUID}`, 'CUSTOM_ZOOM'],
  [`MJ::Inpaint::1::${UUID}::SOLO`, 'INPAINT'],
  [`MJ::JOB::animate_high::1::${UUID}::SOLO`, 'VIDEO'],
  ['MJ::Picread::Retry', 'DESCRIBE'],
  ['MJ::Job::PicReader::4', 'IMAGINE'],
])('the button %s is %s', (customId, action) => {
  expect(actionOfButton(customId)).toBe(action)
})

test.each([
  ['nothing', 'unknown_action'],
  ['MJ::JOB', 'unknown_action'],
  ['MJ::JOB::upsample', 'index_parse_failed'],
  [`MJ::JOB::variation::x::${UUID}`, 'index_parse_failed'],
  [`MJ::JOB::expand::1::${UUID}`, `unknown_action:MJ::JOB::expand::1::${UUID}`],
  ['MJ::Job::PicReader::all', 'unknown_action:MJ::Job::PicReader::all'],
  ['MJ::JOB::constructor::1', 'unknown_action:MJ::JOB::constructor::1'],
])('the button %s cannot be read: %s', (customId, problem) => {
  expect(actionOfButton(customId)).toEqual({ problem })
})

test('a change needs an action, and the picture number if it is about one', () => {
  expect(actionOfChange({ action: 'UPSCALE', index: 1 })).toBe('UPSCALE')
  expect(actionOfChange({ action: 'VARIATION', index: 4 })).toBe('VARIATION')
  expect(actionOfChange({ action: 'REROLL', index: undefined })).toBe('REROLL')
  expect(actionOfChange({ action: undefined, index: 1 })).toEqual({ problem: 'action_is_required' })
  expect(actionOfChange({ action: 'UPSCALE', index: undefined })).toEqual({ problem: 'index_is_required' })
  expect(actionOfChange({ action: 'IMAGINE', index: 1 })).toEqual({ problem: 'unknown_action' })
})

test.each([
  ['1320098173412546 U2', '1320098173412546', 'UPSCALE'],
  [' 13-x  v4 ', '13-x', 'VARIATION'],
  ['13 R', '13', 'REROLL'],
])('the simple change %s is parsed', (content, taskId, action) => {
  expect(parseSimpleChange(content)).toEqual({ taskId, action })
})

test.each(['13', '13 u5', '13 u0', '13 x1', '13 r2', '13 14 u1', 'u1'])(
  'the simple change %s is not parsed',
  (content) => {
    expect(parseSimpleChange(content)).toEqual({ problem: 'content_parse_failed' })
  },
)
