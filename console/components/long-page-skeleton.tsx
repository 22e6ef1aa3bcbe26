import Skeleton from '@arco-design/web-react/es/Skeleton'

/** Takes the place of a page that is longer than the window, so that the footer does not move when it arrives. */
export function LongPageSkeleton() {
  return (
    <div className="page-long">
      <Skeleton animation text={{ rows: 12, width: '100%' }} />
    </div>
  )
}
