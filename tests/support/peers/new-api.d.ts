export const PEER_PASSWORD: string
export interface PeerSize {
  users?: number
  tokens?: number
  channels?: number
  logs?: number
  counts?: number
  journal?: 'WAL' | 'DELETE'
}
export function peerKey(id: number): string
export function createNewApiDatabase(file: string, size?: PeerSize): Promise<void>
