/** The model name of each action of a drawing proxy. The name determines the channel and the price of the action. */
export const ACTION_MODELS = {
  IMAGINE: 'mj_imagine',
  DESCRIBE: 'mj_describe',
  BLEND: 'mj_blend',
  SHORTEN: 'mj_shorten',
  UPLOAD: 'mj_upload',
  MODAL: 'mj_modal',
  EDITS: 'mj_edits',
  VIDEO: 'mj_video',
  SWAP_FACE: 'swap_face',
  UPSCALE: 'mj_upscale',
  VARIATION: 'mj_variation',
  LOW_VARIATION: 'mj_low_variation',
  HIGH_VARIATION: 'mj_high_variation',
  REROLL: 'mj_reroll',
  PAN: 'mj_pan',
  ZOOM: 'mj_zoom',
  CUSTOM_ZOOM: 'mj_custom_zoom',
  INPAINT: 'mj_inpaint',
} as const
export type DrawingAction = keyof typeof ACTION_MODELS

/** Returns whether an action only opens a dialog. It is free, and the MODAL action that follows is charged. */
export function opensModal(action: DrawingAction): boolean {
  return action === 'CUSTOM_ZOOM' || action === 'INPAINT'
}

const SHOWN_MAX = 200

/** An invalid follow-up action. `problem` is the documented error text. */
export interface InvalidAction {
  readonly problem: string
}

/**
 * Returns the action of a button, from an id such as `MJ::JOB::upsample::2::<uuid>`. `JOB` is optional.
 *
 * In ids of upscales and variations, the number of the image follows the action. Described images have buttons that
 * describe the image again, or that draw one of the descriptions.
 */
export function actionOfButton(customId: string): DrawingAction | InvalidAction {
  const parts = customId.split('::')
  const isJob = parts[1] === 'JOB' || parts[1] === 'Job'
  const word = (isJob ? parts[2] : parts[1]) ?? ''
  if (word === '') return { problem: 'unknown_action' }
  const numbered = (action: DrawingAction): DrawingAction | InvalidAction =>
    /^\d{1,3}$/.test(parts[3] ?? '') ? action : { problem: 'index_parse_failed' }
  if (word.includes('upsample')) return numbered('UPSCALE')
  if (word === 'variation') return numbered('VARIATION')
  if (word === 'low_variation') return 'LOW_VARIATION'
  if (word === 'high_variation') return 'HIGH_VARIATION'
  if (word.includes('reroll')) return 'REROLL'
  if (/(^|_)pan(_|$)/.test(word)) return 'PAN'
  if (word === 'Outpaint' || word === 'zoom') return 'ZOOM'
  if (word === 'CustomZoom') return 'CUSTOM_ZOOM'
  if (word === 'Inpaint') return 'INPAINT'
  if (word.includes('animate')) return 'VIDEO'
  if (word === 'Picread' && parts[2] === 'Retry') return 'DESCRIBE'
  // Reject the button that draws all descriptions, because it would create several tasks for the price of one.
  if (word === 'PicReader' && /^\d{1,3}$/.test(parts[3] ?? '')) return 'IMAGINE'
  return { problem: `unknown_action:${customId.slice(0, SHOWN_MAX)}` }
}

/** Returns the action of a `/change` request. UPSCALE and VARIATION need the index of an image. */
export function actionOfChange({ action, index }: { action: unknown; index: unknown }): DrawingAction | InvalidAction {
  if (action === undefined || action === null || action === '') return { problem: 'action_is_required' }
  if (action === 'REROLL') return 'REROLL'
  if (action !== 'UPSCALE' && action !== 'VARIATION') return { problem: 'unknown_action' }
  return index ? action : { problem: 'index_is_required' }
}

const CHANGES: Readonly<Record<string, DrawingAction>> = { u: 'UPSCALE', v: 'VARIATION', r: 'REROLL' }

/** Parses a task id and an action, such as `1320098173412546 U2`. */
export function parseSimpleChange(content: string): { taskId: string; action: DrawingAction } | InvalidAction {
  const [, taskId = '', letter = '', reroll = ''] = /^(\S+)\s+(?:([uv])[1-4]|(r))$/i.exec(content.trim()) ?? []
  const action = CHANGES[(letter || reroll).toLowerCase()]
  return action ? { taskId, action } : { problem: 'content_parse_failed' }
}
