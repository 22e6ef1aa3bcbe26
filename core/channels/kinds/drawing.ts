import { commaList } from '../../input.ts'
import type { ChannelType } from '../types/channel-type.ts'

/** The documented actions of type 2. Channels list these names as models, so that each action has its own price. */
const PLAIN_ACTIONS = commaList('mj_imagine, mj_describe, mj_blend, mj_upscale, mj_variation, mj_reroll, mj_upload')
/** The documented actions of type 5. */
const DOCUMENTED_ACTIONS = [
  ...PLAIN_ACTIONS,
  ...commaList(
    'mj_modal, mj_inpaint, mj_zoom, mj_custom_zoom, mj_shorten, mj_high_variation, mj_low_variation, mj_pan',
  ),
  'swap_face',
]
/** All actions of type 5, including newer actions that are not documented. */
const ACTIONS = [...DOCUMENTED_ACTIONS, 'mj_edits', 'mj_video']

const PROXY = {
  tasks: 'drawings',
  operations: [],
  dialects: [],
  baseUrl: '',
  baseUrlRequired: true,
  baseUrlExample: 'http://127.0.0.1:8080',
  keyFormat: 'channelField.mjApiSecret',
} as const

/** Proxies that draw with Midjourney accounts. https://github.com/novicezk/midjourney-proxy */
export const DRAWING_KINDS = [
  { ...PROXY, type: 2, name: 'Midjourney proxy', slug: 'midjourney', models: PLAIN_ACTIONS },
  {
    ...PROXY,
    type: 5,
    name: 'Midjourney proxy plus',
    slug: 'midjourney-plus',
    models: ACTIONS,
    presets: DOCUMENTED_ACTIONS,
  },
] as const satisfies readonly ChannelType[]
