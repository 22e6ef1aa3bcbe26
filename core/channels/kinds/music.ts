import type { ChannelType } from '../types/channel-type.ts'

/** Servers that make music with Suno accounts. https://github.com/Suno-API/Suno-API */
export const MUSIC_KINDS = [
  {
    type: 36,
    name: 'Suno API',
    slug: 'suno',
    tasks: 'music',
    operations: [],
    dialects: [],
    baseUrl: '',
    baseUrlRequired: true,
    baseUrlExample: 'http://127.0.0.1:8000',
    keyFormat: 'channelField.serverApiKey',
    models: ['suno_music', 'suno_lyrics'],
  },
] as const satisfies readonly ChannelType[]
