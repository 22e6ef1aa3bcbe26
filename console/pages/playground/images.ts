/** Limits for one message. The gateway accepts requests up to 16 MB, and base64 makes images a third larger. */
export const IMAGES_MAX = 3
export const IMAGE_MAX_MB = 3
const BYTES_PER_MB = 1024 * 1024
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
export const ACCEPT = TYPES.join(',')

/** A file that cannot be attached. */
export interface RejectedFile {
  problem: 'notImage' | 'tooLarge' | 'tooMany' | 'unreadable'
  name: string
}

/** Returns at most `freePlaces` image files, and for each of the other files the problem. */
export function chooseImages(files: readonly File[], freePlaces: number): { chosen: File[]; rejected: RejectedFile[] } {
  const chosen: File[] = []
  const rejected: RejectedFile[] = []
  for (const file of files) {
    const problem = imageProblemOf(file, freePlaces - chosen.length)
    if (problem) rejected.push({ problem, name: file.name })
    else chosen.push(file)
  }
  return { chosen, rejected }
}

export function imageProblemOf(
  { type, size }: Pick<File, 'type' | 'size'>,
  freePlaces: number,
): RejectedFile['problem'] | undefined {
  if (!TYPES.includes(type)) return 'notImage'
  if (size > IMAGE_MAX_MB * BYTES_PER_MB) return 'tooLarge'
  return freePlaces <= 0 ? 'tooMany' : undefined
}

/** Returns the images as `data:` URLs in the order of the files, and the unreadable files, such as deleted files. */
export async function readImages(files: readonly File[]): Promise<{ images: string[]; rejected: RejectedFile[] }> {
  const results = await Promise.allSettled(files.map(dataUrl))
  return {
    images: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    rejected: files
      .filter((_, index) => results[index]?.status === 'rejected')
      .map(({ name }) => ({ problem: 'unreadable' as const, name })),
  }
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error(`Cannot read ${file.name}`))
    reader.readAsDataURL(file)
  })
}
