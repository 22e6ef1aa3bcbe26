/** Returns the price of an audio prompt token as a multiple of the price of a text prompt token. */
export function audioRatio(model: string): number {
  if (model.includes('-realtime')) return realtimeRatio(model)
  return model.includes('-audio') ? audioModelRatio(model) : 20
}

/** The price of an audio completion token as a multiple of the price of an audio prompt token. */
export const AUDIO_COMPLETION_RATIO = 2

function realtimeRatio(model: string): number {
  if (model.endsWith('gpt-4o-realtime-preview-2024-12-17')) return 8
  return model.includes('mini') ? 10 / 0.6 : 20
}

function audioModelRatio(model: string): number {
  if (model.endsWith('gpt-4o-audio-preview-2024-12-17')) return 16
  return model.includes('mini') ? 10 / 0.15 : 40
}
