/** The largest body that the gateway reads. A larger one is refused before it is read. */
export const bodyBytesMax = 8 * 1024 * 1024;
/** Of a request that needs no token, such as forms of shoppers and messages of 3D Secure, or that has no lists. */
export const publicBodyBytesMax = 256 * 1024;
/** A body up to this length is read before authentication; a longer one only after it. */
export const unknownBodyBytesMax = 64 * 1024;
/** The longest value as it is sent, with its escapes: no parameter takes as much, and it is read in one go. */
export const valueBytesMax = 256 * 1024;
export const fieldsMax = 50_000;
export const nameBytesMax = 256;
/** How many fields are read of a form that has a few by its nature: a page of the gateway, 3D Secure, the return from a bank. */
export const fewFieldsMax = 200;
/** The most fields that are read of a long form of a shopper, who needs no token: twice as many as are taken. */
export const shopperFieldsMax = 4_000;
/** Document 3: an index runs from 0 to at most 1000. */
export const indexMax = 1000;
/** `airline.passengers[0].legs[0].fareAmount` has six steps and is the deepest name of the catalogue. */
export const depthMax = 6;
/** The longest descriptive field on a lenient channel, in code points. */
export const lenientLengthMax = 2048;
/** How much of a refused value is sent back. */
export const faultValueMax = 255;
/** How much of a name is sent back that could not be read, or is not of the catalogue. */
export const faultNameMax = 64;
/** After so many faults in its encoding a body is not read any further. */
export const misreadsMax = 1000;
/** How many faults are sent back: a request must not cause a far larger reply. */
export const faultsMax = 5000;
