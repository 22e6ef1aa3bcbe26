import { memo, type ReactNode } from 'react'

/** Does not rerender its content while `open` is false. The data is already gone when the closing animation starts. */
export const FrozenWhileClosed = memo(
  ({ children }: { open: boolean; children: ReactNode }) => <>{children}</>,
  (_, { open }) => !open,
)
