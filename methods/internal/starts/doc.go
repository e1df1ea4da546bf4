// Package starts plays several starts of a fit and keeps the best.
//
// A method gives the state of one start ([State]): how it plays, how good it is, and how it is
// written. The package decides the rest, once for all methods:
//   - whether starts run side by side, one per thread, or one after the other with their rows in
//     parallel ([Plan.SideBySide]), and the memory of all states ([Plan.Bytes]);
//   - which start wins: the lowest score, the earliest of equal ones;
//   - the pieces of finished starts and the state of an unfinished one in the store of the run. A
//     piece has the state if no start that was finished before was better, else the score alone;
//   - what is played again, because the piece of the winner has its score alone;
//   - ranks that divide the rows: all of them play the starts in one order and look at their
//     contexts together.
package starts
