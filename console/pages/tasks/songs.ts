import { isRecord } from '../../records.ts'

export interface Song {
  title: string
  address: string
}

/** Returns the songs in the result of a music task. Omits URLs other than https, which the page may not load. */
export function songsOf(data: unknown): Song[] {
  if (!Array.isArray(data)) return []
  return data.filter(isRecord).flatMap(({ audio_url: address, title }) => {
    if (typeof address !== 'string' || !URL.canParse(address) || new URL(address).protocol !== 'https:') return []
    return [{ title: typeof title === 'string' ? title : '', address }]
  })
}
