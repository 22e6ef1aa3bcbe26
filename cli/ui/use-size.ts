import { useStdout } from 'ink'
import { useEffect, useState } from 'react'

export interface Size {
  columns: number
  rows: number
}

/** Current size of the terminal. */
export function useSize(): Size {
  const { stdout } = useStdout()
  const read = (): Size => ({ columns: stdout.columns, rows: stdout.rows })
  const [size, setSize] = useState(read)
  useEffect(() => {
    const resized = () => setSize({ columns: stdout.columns, rows: stdout.rows })
    stdout.on('resize', resized)
    return () => void stdout.off('resize', resized)
  }, [stdout])
  return size
}
