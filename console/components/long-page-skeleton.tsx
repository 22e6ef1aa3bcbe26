import Skeleton from '@arco-design/web-react/es/Skeleton'

/** Placeholder for a page that is longer than the window, so that the footer does not move when the page is shown. */
export function LongPageSkeleton() {
  return (
    <div className="page-long">
      <Skeleton animation text={{ rows: 12, width: '100%' }} />
    </div>
  )
}
