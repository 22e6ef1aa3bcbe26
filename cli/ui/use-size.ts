import { useStdout } from 'ink'
import { useEffect, useState } from 'react'

export interface Size {
  columns: number
  rows: number
}

/** Returns the current size of the terminal. */
export function useSize(): Size {
  const { stdout } = useStdout()
  const read = (): Size => ({ columns: stdout.columns, rows: stdout.rows })
  const [size, setSize] = useState(read)
  useEffect(() => {
    const onResize = () => setSize({ columns: stdout.columns, rows: stdout.rows })
    stdout.on('resize', onResize)
    return () => void stdout.off('resize', onResize)
  }, [stdout])
  return size
}
