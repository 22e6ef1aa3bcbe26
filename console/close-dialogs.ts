/**
 * Closes what a page has opened by `Modal.info` and the like: it stands beside the page, outlives it, and may show a key.
 * What asks before a page is left is no such dialog, and stays. Their code is no part of what the login page loads, and is
 * there already where one is open.
 */
export async function closeDialogs(): Promise<void> {
  if (!document.querySelector('.arco-modal')) return
  try {
    const { default: Modal } = await import('@arco-design/web-react/es/Modal')
    Modal.destroyAll()
  } catch {
    // Not loaded and not to be had: none is open.
  }
}
