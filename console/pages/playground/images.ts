/** Limits for one message. The gateway accepts requests up to 16 MB, and base64 makes images a third larger. */
export const IMAGES_MAX = 3
export const IMAGE_MAX_MB = 3
const BYTES_PER_MB = 1024 * 1024
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
export const ACCEPT = TYPES.join(',')

type ImageProblem = 'notImage' | 'tooLarge' | 'tooMany'

/** Returns at most `room` images as `data:` URLs, and for each of the other files the problem. */
export async function readImages(
  files: readonly File[],
  room: number,
): Promise<{ images: string[]; problems: { problem: ImageProblem; name: string }[] }> {
  const images: string[] = []
  const problems: { problem: ImageProblem; name: string }[] = []
  for (const file of files) {
    const problem = imageProblemOf(file, room - images.length)
    if (problem) problems.push({ problem, name: file.name })
    else images.push(await dataUrl(file))
  }
  return { images, problems }
}

export function imageProblemOf({ type, size }: Pick<File, 'type' | 'size'>, room: number): ImageProblem | undefined {
  if (!TYPES.includes(type)) return 'notImage'
  if (size > IMAGE_MAX_MB * BYTES_PER_MB) return 'tooLarge'
  return room <= 0 ? 'tooMany' : undefined
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error(`Cannot read ${file.name}`))
    reader.readAsDataURL(file)
  })
}
