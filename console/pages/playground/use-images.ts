import { useRef, useState } from 'react'
import { chooseImages, IMAGES_MAX, type RejectedFile, readImages } from './images.ts'

/** The images of the message that is being written. Calls `onRejected` for each file that cannot be attached. */
export function useImages(onRejected: (file: RejectedFile) => void) {
  const [images, setImages] = useState<string[]>([])
  // Also counts the files that are being read, since more files may be added before these images are rendered.
  const count = useRef(0)

  async function add(files: Iterable<File>) {
    const { chosen, rejected } = chooseImages([...files], IMAGES_MAX - count.current)
    count.current += chosen.length
    rejected.forEach(onRejected)
    const result = await readImages(chosen)
    count.current -= result.rejected.length
    result.rejected.forEach(onRejected)
    setImages((images) => [...images, ...result.images])
  }

  /** Removes the first images. An image that was read after the latest rendering remains. */
  function removeFirst(removed: number) {
    count.current -= removed
    setImages((images) => images.slice(removed))
  }

  function remove(index: number) {
    count.current -= 1
    setImages((images) => images.filter((_, place) => place !== index))
  }

  return { images, add, remove, removeFirst }
}
